// SPDX-License-Identifier: Apache-2.0
#include "../nvml_energy_meter.hpp"

#include <chrono>
#include <memory>

#include <gtest/gtest.h>

#include <ridge/base/error.hpp>
#include <ridge/measure/conformance.hpp>

#include "simulated_nvml.hpp"

namespace ridge::backends::measure_nvml {

std::unique_ptr<measure::energy_meter> make();

namespace {

class nvml_energy : public testing::Test {
 protected:
  nvml_energy_meter meter() {
    functions_ = simulated_.functions();
    return nvml_energy_meter(gpu::nvml_device::find(functions_, simulated_.bus_id));
  }
  gpu::simulated_nvml simulated_{};
  gpu::nvml_functions functions_{};
};

TEST_F(nvml_energy, counts_from_when_it_was_made) {
  auto m = meter();
  EXPECT_EQ(m.unavailable_because(), "");
  EXPECT_EQ(m.name(), "GPU 0000:1b:00.0");
  EXPECT_EQ(m.joules(), 0.0);
  simulated_.energy_mj += 70'250;
  EXPECT_DOUBLE_EQ(m.joules(), 70.25);
  EXPECT_DOUBLE_EQ(m.joules(), 70.25);
}

TEST_F(nvml_energy, goes_on_after_the_driver_was_loaded_again) {
  auto m = meter();
  simulated_.energy_mj += 5'000;
  EXPECT_DOUBLE_EQ(m.joules(), 5);
  simulated_.energy_mj = 100;
  EXPECT_DOUBLE_EQ(m.joules(), 5);
  simulated_.energy_mj = 2'100;
  EXPECT_DOUBLE_EQ(m.joules(), 7);
}

TEST_F(nvml_energy, says_why_there_is_none) {
  simulated_.refused = {{"energy", gpu::nvml_not_supported}};
  auto m = meter();
  EXPECT_NE(m.unavailable_because().find("Not Supported"), std::string::npos) << m.unavailable_because();
  EXPECT_EQ(m.joules(), 0.0);
  nvml_energy_meter none(error{"no GPU here", "buy one"});
  EXPECT_NE(none.unavailable_because().find("no GPU here; buy one"), std::string::npos);
  EXPECT_EQ(none.joules(), 0.0);
}

TEST_F(nvml_energy, a_gpu_that_goes_away_is_a_failure) {
  auto m = meter();
  simulated_.refused = {{"energy", gpu::nvml_gpu_is_lost}};
  EXPECT_THROW(m.joules(), io_failure);
}

using wall = std::chrono::steady_clock;

// Returns the seconds until the counter moves, at most five.
double next_update_s(measure::energy_meter& m) {
  const auto begin = wall::now();
  const double before = m.joules();
  std::chrono::duration<double> waited{};
  while (waited.count() < 5 && m.joules() == before) waited = wall::now() - begin;
  return waited.count();
}

TEST(nvml_energy_here, conforms) {
  const auto m = make();
  measure::conformance::expect_energy_meter(*m);
  if (!m->unavailable_because().empty()) GTEST_SKIP() << m->unavailable_because();
}

TEST(nvml_energy_here, is_as_fine_as_it_says) {
  const auto m = make();
  if (!m->unavailable_because().empty()) GTEST_SKIP() << m->unavailable_because();
  next_update_s(*m);  // begins somewhere between two updates
  constexpr int updates = 5;
  double seconds = 0;
  for (int i = 0; i < updates; ++i) seconds += next_update_s(*m);
  RecordProperty("update_interval_ms", std::to_string(seconds / updates * 1e3));
  EXPECT_LT(seconds / updates, 1.5 * m->resolution_s());
}

}  // namespace
}  // namespace ridge::backends::measure_nvml
