// SPDX-License-Identifier: Apache-2.0
#include "../nvml_gpu_meter.hpp"

#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ridge/measure/conformance.hpp>
#include <ridge/measure/gpu_summary.hpp>

#include "simulated_nvml.hpp"

namespace ridge::backends::measure_nvml {

std::unique_ptr<measure::gpu_meter> make_gpu_meter();

namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class nvml_state : public testing::Test {
 protected:
  nvml_gpu_meter meter() {
    functions_ = simulated_.functions();
    return nvml_gpu_meter(gpu::nvml_device::find(functions_, simulated_.bus_id));
  }
  void refuse_all() {
    for (const auto* name : {"clock", "fields", "power", "temperature", "clock_events"}) {
      simulated_.refused[name] = gpu::nvml_no_permission;
    }
  }
  gpu::simulated_nvml simulated_{};
  gpu::nvml_functions functions_{};
};

TEST_F(nvml_state, reads_clock_power_heat_and_reasons) {
  auto m = meter();
  EXPECT_EQ(m.unavailable_because(), "");
  const auto state = *m.read();
  EXPECT_EQ(state.sm_clock_mhz, 1755);
  EXPECT_EQ(state.power_w, 412.5);
  EXPECT_EQ(state.temperature_c, 51);
  EXPECT_THAT(*state.throttled_by, ElementsAre("power cap"));
  EXPECT_FALSE(state.idle);
}

TEST_F(nvml_state, of_an_idle_gpu_is_not_throttled) {
  simulated_.events = gpu::clock_events::idle_bit | gpu::clock_events::clocks_set_bit;
  const auto state = *meter().read();
  EXPECT_TRUE(state.idle);
  EXPECT_THAT(*state.throttled_by, IsEmpty());
}

TEST_F(nvml_state, keeps_the_rest_where_one_answer_is_refused) {
  auto m = meter();
  simulated_.refused = {{"clock", gpu::nvml_not_supported}, {"clock_events", gpu::nvml_not_supported}};
  const auto state = *m.read();
  EXPECT_FALSE(state.sm_clock_mhz.has_value());
  EXPECT_FALSE(state.throttled_by.has_value()) << "unknown is not the same as none";
  EXPECT_EQ(state.temperature_c, 51);
}

TEST_F(nvml_state, is_absent_where_the_driver_tells_nothing) {
  auto m = meter();
  refuse_all();
  EXPECT_FALSE(m.read().has_value());
  EXPECT_EQ(m.unavailable_because(), "") << "it was there when the meter was made";
  auto late = meter();
  EXPECT_NE(late.unavailable_because().find("0000:1b:00.0"), std::string::npos) << late.unavailable_because();
  simulated_.refused.clear();
  EXPECT_FALSE(late.read().has_value()) << "what said that it is unavailable stays so";
}

TEST_F(nvml_state, readings_of_a_session_are_put_in_words) {
  auto m = meter();
  std::vector<measure::gpu_state> blocks;
  for (const unsigned mhz : {1620u, 1755u, 1980u}) {
    simulated_.sm_mhz = mhz;
    simulated_.events = mhz == 1620 ? 0x4 : 0x0;
    blocks.push_back(*m.read());
  }
  EXPECT_EQ(measure::summarize(blocks).text(),
            "SM clock 1755 MHz (1620..1980), 412 W, 51 C, power cap in 33 % of blocks");
}

TEST(nvml_state_here, conforms) {
  const auto m = make_gpu_meter();
  measure::conformance::expect_gpu_meter(*m);
  if (!m->unavailable_because().empty()) GTEST_SKIP() << m->unavailable_because();
  const measure::gpu_state now[] = {*m->read()};
  RecordProperty("state", measure::summarize(now).text());
}

}  // namespace
}  // namespace ridge::backends::measure_nvml
