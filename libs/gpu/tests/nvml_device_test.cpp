// SPDX-License-Identifier: Apache-2.0
#include <ridge/gpu/nvml_device.hpp>

#include <chrono>
#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include "simulated_nvml.hpp"

namespace ridge::gpu {
namespace {

class nvml_device_simulated : public testing::Test {
 protected:
  nvml_device device() {
    functions_ = simulated_.functions();
    return *nvml_device::find(functions_, simulated_.bus_id);
  }
  simulated_nvml simulated_{};
  nvml_functions functions_{};
};

// What each question says went wrong, by the member of nvml_functions that it needs.
std::map<std::string, std::string> complaints(const nvml_device& d) {
  const auto of = [](const auto& answer) { return answer ? std::string() : answer.why().text(); };
  return {{"clock", of(d.sm_clock_mhz())},
          {"max_clock", of(d.max_sm_clock_mhz())},
          {"temperature", of(d.temperature_c())},
          {"power", of(d.average_power_w())},
          {"power_limit", of(d.power_limit_w())},
          {"clock_events", of(d.clock_events())},
          {"energy", of(d.energy_mj())},
          {"persistence", of(d.persistence_mode())},
          {"mig", of(d.mig_mode())},
          {"ecc_errors", of(d.ecc_errors())},
          {"processes", of(d.compute_processes())},
          {"pcie", of(d.pcie_link())},
          {"video_bios", of(d.video_bios())}};
}

TEST_F(nvml_device_simulated, answers_in_its_units) {
  const auto d = device();
  EXPECT_EQ(d.bus_id(), "0000:1b:00.0");
  EXPECT_EQ(*d.sm_clock_mhz(), 1755u);
  EXPECT_EQ(*d.memory_clock_mhz(), 3201u);
  EXPECT_EQ(*d.max_sm_clock_mhz(), 1980u);
  EXPECT_EQ(*d.temperature_c(), 51u);
  EXPECT_DOUBLE_EQ(*d.power_w(), 412.5);
  EXPECT_DOUBLE_EQ(*d.average_power_w(), 400);
  EXPECT_DOUBLE_EQ(*d.power_limit_w(), 700);
  EXPECT_EQ(d.clock_events()->bits, clock_events::power_cap_bit);
  EXPECT_EQ(*d.energy_mj(), 1'000'000u);
  EXPECT_TRUE(*d.persistence_mode());
  EXPECT_FALSE(*d.mig_mode());
  EXPECT_EQ(d.ecc_errors()->corrected, 2u);
  EXPECT_EQ(d.ecc_errors()->uncorrected, 1u);
}

TEST_F(nvml_device_simulated, links_are_those_that_are_up) {
  const auto links = *device().nvlinks();
  ASSERT_EQ(links.size(), 2u);
  EXPECT_EQ(links[1].index, 2u);
  EXPECT_EQ(links[1].version, 4u);
  EXPECT_DOUBLE_EQ(links[1].bytes_per_s, 26.562e9);
  EXPECT_EQ(links[1].end, link_end::nvswitch);
  EXPECT_EQ(links[1].far_bus_id, "0000:c3:01.0");
  EXPECT_EQ(device().pcie_link()->generation, 1u);
  EXPECT_EQ(device().pcie_link()->max_generation, 5u);
  EXPECT_EQ(*device().video_bios(), "96.00.BC.00.01");
}

TEST_F(nvml_device_simulated, a_link_is_listed_though_nothing_more_is_told_of_it) {
  simulated_.refused = {{"nvlink_version", nvml_not_supported},
                        {"nvlink_end", nvml_not_supported},
                        {"nvlink_far", nvml_not_supported},
                        {"fields", nvml_not_supported}};
  const auto links = *device().nvlinks();
  ASSERT_EQ(links.size(), 2u);
  EXPECT_EQ(links[0].version, 0u);
  EXPECT_EQ(links[0].bytes_per_s, 0);
  EXPECT_EQ(links[0].end, link_end::unknown);
  EXPECT_TRUE(links[0].far_bus_id.empty());
}

TEST_F(nvml_device_simulated, a_gpu_without_nvlink_has_none_and_a_refusal_is_told) {
  simulated_.refused = {{"nvlinks", nvml_not_supported}};
  EXPECT_TRUE(device().nvlinks()->empty());
  simulated_.refused = {{"nvlinks", nvml_no_permission}};
  EXPECT_FALSE(device().nvlinks().ok());
}

TEST_F(nvml_device_simulated, each_call_that_is_refused_is_absent_alone) {
  const auto d = device();
  for (const auto& [name, none] : complaints(d)) {
    EXPECT_EQ(none, "") << name;
    simulated_.refused = {{name, nvml_not_supported}};
    for (const auto& [asked, complaint] : complaints(d)) {
      if (asked == name) {
        EXPECT_NE(complaint.find("Not Supported (code 3)"), std::string::npos) << asked << ": " << complaint;
      } else {
        EXPECT_EQ(complaint, "") << asked << " without " << name;
      }
    }
  }
}

TEST_F(nvml_device_simulated, a_library_that_lacks_everything_is_no_crash) {
  simulated_.refused.clear();
  nvml_functions bare;
  bare.by_bus_id = simulated_.functions().by_bus_id;
  const auto d = *nvml_device::find(bare, simulated_.bus_id);
  for (const auto& [name, complaint] : complaints(d)) {
    EXPECT_NE(complaint.find("has no nvmlDeviceGet"), std::string::npos) << name << ": " << complaint;
  }
  EXPECT_FALSE(d.power_w().ok());
  EXPECT_FALSE(nvml_device::find(nvml_functions{}, simulated_.bus_id).ok());
}

TEST_F(nvml_device_simulated, a_gpu_the_driver_does_not_know_is_named) {
  const auto functions = simulated_.functions();
  const auto found = nvml_device::find(functions, "0000:ff:00.0");
  ASSERT_FALSE(found.ok());
  EXPECT_NE(found.why().message.find("0000:ff:00.0"), std::string::npos) << found.why().message;
}

TEST_F(nvml_device_simulated, all_ones_are_no_value) {
  const auto d = device();
  constexpr auto ones = std::numeric_limits<unsigned>::max();
  simulated_.sm_mhz = simulated_.max_sm_mhz = simulated_.celsius = simulated_.average_mw =
      simulated_.limit_mw = ones;
  simulated_.energy_mj = simulated_.corrected = std::numeric_limits<unsigned long long>::max();
  simulated_.instant_mw = ones;
  const auto said = complaints(d);
  for (const auto* name :
       {"clock", "max_clock", "temperature", "power", "power_limit", "energy", "ecc_errors"}) {
    EXPECT_NE(said.at(name).find("without a value"), std::string::npos) << name << ": " << said.at(name);
  }
  EXPECT_FALSE(d.power_w().ok());
}

TEST_F(nvml_device_simulated, power_is_the_average_where_no_instant_is_offered) {
  const auto d = device();
  const std::function<void()> reasons[] = {
      [this] { simulated_.instant_code = nvml_not_supported; },
      [this] { simulated_.instant_type = 0; },
      [this] {
        simulated_.refused = {{"fields", nvml_not_supported}};
      },
      [this] { functions_.fields = nullptr; },
  };
  for (const auto& take_away : reasons) {
    EXPECT_DOUBLE_EQ(*d.power_w(), 412.5);
    take_away();
    EXPECT_DOUBLE_EQ(*d.power_w(), 400);
    simulated_.instant_code = nvml_success;
    simulated_.instant_type = 3;
    simulated_.refused.clear();
  }
}

TEST_F(nvml_device_simulated, other_processes_are_told_from_ours) {
  const auto d = device();
  const auto ours = static_cast<unsigned>(getpid());
  simulated_.pids = {};
  EXPECT_EQ(d.compute_processes()->others, 0u);
  EXPECT_FALSE(d.compute_processes()->ours_listed);
  simulated_.pids = {1, ours, 2};
  EXPECT_EQ(d.compute_processes()->others, 2u);
  EXPECT_TRUE(d.compute_processes()->ours_listed);
  simulated_.pids.assign(1000, 7);
  EXPECT_EQ(d.compute_processes()->others, 1000u);
}

TEST_F(nvml_device_simulated, a_list_that_grows_faster_than_it_is_read_is_given_up) {
  const auto d = device();
  int calls = 0;
  simulated_.before_processes = [&] {
    ++calls;
    simulated_.pids.resize(10'000 * static_cast<std::size_t>(calls), 7);
  };
  EXPECT_FALSE(d.compute_processes().ok());
  EXPECT_LT(calls, 10);
}

class nvml_device_here : public testing::Test {
 protected:
  void SetUp() override {
    const auto found = nvml_device::current();
    if (!found) GTEST_SKIP() << found.why().text();
  }
};

TEST_F(nvml_device_here, reads_what_a_gpu_can_be) {
  const auto d = *nvml_device::current();
  for (const auto& [name, complaint] : complaints(d)) RecordProperty("absent_" + name, complaint);
  if (const auto clock = d.sm_clock_mhz(), most = d.max_sm_clock_mhz(); clock && most) {
    EXPECT_GE(*clock, 100u);
    EXPECT_LE(*clock, *most);
  }
  if (const auto watts = d.power_w(); watts) {
    EXPECT_GT(*watts, 1);
    EXPECT_LT(*watts, 3000);
  }
  if (const auto celsius = d.temperature_c(); celsius) {
    EXPECT_GT(*celsius, 5u);
    EXPECT_LT(*celsius, 120u);
  }
}

TEST_F(nvml_device_here, is_read_within_milliseconds) {
  const auto d = *nvml_device::current();
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 10; ++i) {
    static_cast<void>(d.sm_clock_mhz());
    static_cast<void>(d.power_w());
    static_cast<void>(d.temperature_c());
    static_cast<void>(d.clock_events());
  }
  const std::chrono::duration<double> all = std::chrono::steady_clock::now() - begin;
  RecordProperty("microseconds_a_reading", std::to_string(all.count() * 1e5));
  EXPECT_LT(all.count(), 1.0);
}

}  // namespace
}  // namespace ridge::gpu
