// SPDX-License-Identifier: Apache-2.0
#include "../nvml_gpu_monitor.hpp"

#include <filesystem>

#include <gmock/gmock.h>

#include <ridge/base/temporary_folder.hpp>

#include "simulated_nvml.hpp"

namespace ridge::backends::measure_nvml {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class nvml_monitor : public testing::Test {
 protected:
  nvml_gpu_monitor monitor() {
    functions_ = simulated_.functions();
    functions_->utilization = [](gpu::nvml_handle, gpu::nvml_utilization* answer) {
      *answer = {70, 5};
      return gpu::nvml_success;
    };
    functions_->memory = [](gpu::nvml_handle, gpu::nvml_memory* answer) {
      *answer = {80, 30, 50};
      return gpu::nvml_success;
    };
    functions_->name = [](gpu::nvml_handle, char* text, unsigned size) {
      std::strncpy(text, "NVIDIA H100", size);
      return gpu::nvml_success;
    };
    functions_->pcie_throughput = [](gpu::nvml_handle, int counter, unsigned* answer) {
      *answer = counter == gpu::nvml_pcie_received ? 7 : 9;
      return gpu::nvml_success;
    };
    return nvml_gpu_monitor(functions_, {simulated_.bus_id});
  }
  gpu::simulated_nvml simulated_{};
  result<gpu::nvml_functions> functions_{gpu::nvml_functions{}};
};

TEST_F(nvml_monitor, reads_what_the_driver_tells) {
  auto all = monitor();
  EXPECT_EQ(all.unavailable_because(), "");
  const auto readings = all.read();
  ASSERT_EQ(readings.size(), 1U);
  const auto& r = readings.front();
  EXPECT_EQ(r.name, "NVIDIA H100");
  EXPECT_DOUBLE_EQ(*r.busy, 0.70);
  EXPECT_DOUBLE_EQ(*r.memory_busy, 0.05);
  EXPECT_EQ(r.memory_used_bytes, 50);
  EXPECT_EQ(r.memory_bytes, 80);
  EXPECT_EQ(r.received_bytes_per_s, 7000);
  EXPECT_EQ(r.sent_bytes_per_s, 9000);
  EXPECT_EQ(r.power_w, 412.5);
  EXPECT_EQ(r.power_limit_w, 700);
  EXPECT_THAT(*r.throttled_by, ElementsAre("power cap"));
}

TEST_F(nvml_monitor, leaves_out_what_the_driver_refuses_or_lacks) {
  auto all = monitor();
  functions_->utilization = nullptr;
  functions_->memory = [](gpu::nvml_handle, gpu::nvml_memory*) { return gpu::nvml_no_permission; };
  simulated_.refused = {{"clock_events", gpu::nvml_not_supported}};
  const auto readings = all.read();
  ASSERT_EQ(readings.size(), 1U);
  EXPECT_FALSE(readings.front().busy);
  EXPECT_FALSE(readings.front().memory_bytes);
  EXPECT_FALSE(readings.front().throttled_by);
  EXPECT_EQ(readings.front().sm_clock_mhz, 1755);
}

TEST_F(nvml_monitor, rates_of_links_and_memory_lie_between_two_readings) {
  {
    auto all = monitor();
    const auto first = all.read().front();
    EXPECT_FALSE(first.link_sent_bytes_per_s) << "one reading has no rate";
    EXPECT_FALSE(first.memory_bandwidth_share);
    simulated_.now_us += 250'000;
    simulated_.sent_kib += 50'000'000;
    const auto second = all.read().front();
    EXPECT_DOUBLE_EQ(*second.link_sent_bytes_per_s, 50e6 * 1024 / 0.25);
    EXPECT_DOUBLE_EQ(*second.link_received_bytes_per_s, 0) << "an idle link is known to carry nothing";
    EXPECT_DOUBLE_EQ(*second.memory_bandwidth_share, 0.4);
    EXPECT_NEAR(*second.memory_bytes_per_s, 0.4 * 3.352e12, 1e9) << "H100 SXM: 2619 MHz, 5120 bits";
    simulated_.now_us += 250'000;
    simulated_.sent_kib = 7;  // the driver was loaded again
    EXPECT_FALSE(all.read().front().link_sent_bytes_per_s);
    EXPECT_EQ(simulated_.samples, 2);
  }
  EXPECT_EQ(simulated_.samples, 0) << "every sample is given back";
}

TEST_F(nvml_monitor, rates_that_the_gpu_does_not_tell_are_unknown) {
  simulated_.refused = {{"nvlink_counters", gpu::nvml_not_supported},
                        {"gpm_metric", gpu::nvml_not_supported}};
  auto all = monitor();
  for (int i = 0; i < 3; ++i) {
    const auto r = all.read().front();
    simulated_.now_us += 250'000;
    EXPECT_FALSE(r.link_sent_bytes_per_s || r.link_received_bytes_per_s);
    EXPECT_FALSE(r.memory_bandwidth_share || r.memory_bytes_per_s);
    EXPECT_TRUE(r.memory_busy);
  }
  simulated_.refused = {{"memory_bits", gpu::nvml_not_supported}};
  const auto r = all.read().front();
  EXPECT_TRUE(r.memory_bandwidth_share);
  EXPECT_FALSE(r.memory_bytes_per_s) << "a share of an unknown peak is no rate";
}

TEST_F(nvml_monitor, takes_no_samples_of_a_divided_gpu_or_one_without_them) {
  simulated_.mig = 1;
  EXPECT_FALSE(monitor().read().empty());
  simulated_.mig = 0;
  simulated_.gpm = 0;
  EXPECT_FALSE(monitor().read().empty());
  simulated_.gpm = 1;
  simulated_.refused = {{"gpm_allocate", gpu::nvml_no_permission}};
  EXPECT_FALSE(monitor().read().front().memory_bandwidth_share);
  EXPECT_EQ(simulated_.samples, 0);
}

TEST(nvml_monitor_reasons, say_what_is_missing) {
  const result<gpu::nvml_functions> missing = error{"libnvidia-ml.so.1 was not found", "install the driver"};
  EXPECT_THAT(std::string(nvml_gpu_monitor(missing, {"0000:1b:00.0"}).unavailable_because()),
              HasSubstr("libnvidia-ml"));
  EXPECT_THAT(std::string(nvml_gpu_monitor(missing, {}).unavailable_because()),
              HasSubstr("no NVIDIA driver"));
  const scratch_folder place("ridge-gpus");
  std::filesystem::create_directory(place.path() / "0000:1c:00.0");
  std::filesystem::create_directory(place.path() / "0000:1b:00.0");
  EXPECT_THAT(addresses_below(place.path().string()), ElementsAre("0000:1b:00.0", "0000:1c:00.0"));
  EXPECT_TRUE(addresses_below("/no/such/folder").empty());
}

}  // namespace
}  // namespace ridge::backends::measure_nvml
