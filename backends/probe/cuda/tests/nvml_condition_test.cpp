// SPDX-License-Identifier: Apache-2.0
#include "conditions/nvml_condition.hpp"

#include <cstring>
#include <limits>

#include <gtest/gtest.h>

namespace ridge::backends::probe_cuda {
namespace {

using gpu::nvml_handle;

template <class T>
int give(T value, T* answer) {
  *answer = value;
  return gpu::nvml_success;
}

int memory_temperature(nvml_handle, int, gpu::nvml_field_value* field) {
  const unsigned celsius = 45;
  field->type = 1;
  std::memcpy(field->value.data(), &celsius, sizeof celsius);
  return gpu::nvml_success;
}

int link_state(nvml_handle, unsigned link, int* active) {
  if (link >= 18) return gpu::nvml_not_supported;
  return give(link == 0 ? 0 : 1, active);
}

int remapped_rows(nvml_handle, unsigned* corrected, unsigned* uncorrected, unsigned* pending,
                  unsigned* failed) {
  give(1u, corrected);
  give(2u, uncorrected);
  give(1u, pending);
  return give(0u, failed);
}

gpu::nvml_functions talkative() {
  gpu::nvml_functions f;
  f.performance_state = [](nvml_handle, int* answer) { return give(0, answer); };
  f.clock = [](nvml_handle, int kind, unsigned* answer) {
    return give(kind == gpu::nvml_clock_sm ? 345u : 2619u, answer);
  };
  f.max_clock = [](nvml_handle, int kind, unsigned* answer) {
    return give(kind == gpu::nvml_clock_sm ? 1980u : 3201u, answer);
  };
  f.clock_events = [](nvml_handle, unsigned long long* answer) { return give(0x44ull, answer); };
  f.power_limit = [](nvml_handle, unsigned* answer) { return give(600'000u, answer); };
  f.default_power_limit = [](nvml_handle, unsigned* answer) { return give(700'000u, answer); };
  f.power_limits = [](nvml_handle, unsigned* least, unsigned* most) {
    return give(200'000u, least), give(700'000u, most);
  };
  f.violation = [](nvml_handle, int policy, gpu::nvml_violation* answer) {
    return give(gpu::nvml_violation{1, policy == gpu::nvml_policy_power ? 1'500'000'000ull : 0ull}, answer);
  };
  f.temperature = [](nvml_handle, int, unsigned* answer) { return give(40u, answer); };
  f.temperature_threshold = [](nvml_handle, int, unsigned* answer) { return give(87u, answer); };
  f.fields = memory_temperature;
  f.compute_mode = [](nvml_handle, int* answer) { return give(3, answer); };
  f.virtualization = [](nvml_handle, int* answer) { return give(1, answer); };
  f.utilization = [](nvml_handle, gpu::nvml_utilization* answer) {
    return give(gpu::nvml_utilization{70, 5}, answer);
  };
  f.ecc_mode = [](nvml_handle, int* now, int* later) { return give(1, now), give(0, later); };
  f.remapped_rows = remapped_rows;
  f.retired_pages = [](nvml_handle, int cause, unsigned* count, unsigned long long*) {
    return give(cause == 0 ? 3u : 0u, count), cause == 0 ? gpu::nvml_insufficient_size : gpu::nvml_success;
  };
  f.pcie_generation = [](nvml_handle, unsigned* answer) { return give(1u, answer); };
  f.max_pcie_generation = [](nvml_handle, unsigned* answer) { return give(5u, answer); };
  f.pcie_width = f.max_pcie_width = [](nvml_handle, unsigned* answer) { return give(16u, answer); };
  f.nvlink_state = link_state;
  f.nvlink_errors = [](nvml_handle, unsigned, int, unsigned long long* answer) { return give(1ull, answer); };
  f.window = [](nvml_handle, gpu::nvml_window* answer) {
    return give(gpu::nvml_window{256, 200, 56}, answer);
  };
  f.confidential = [](gpu::nvml_confidential* answer) {
    return give(gpu::nvml_confidential{1, 1, 0}, answer);
  };
  return f;
}

TEST(nvml_condition, is_what_the_driver_tells_in_our_units) {
  probe::gpu_condition seen;
  read_condition(talkative(), nullptr, seen);
  EXPECT_EQ(seen.sm_mhz, 345u);
  EXPECT_EQ(seen.most_memory_mhz, 3201u);
  ASSERT_TRUE(seen.holds);
  EXPECT_TRUE(seen.holds->power_cap && seen.holds->thermal);
  EXPECT_FALSE(seen.holds->idle || seen.holds->hardware_slowdown);
  EXPECT_EQ(seen.power_limit_w, 600);
  EXPECT_EQ(seen.default_power_limit_w, 700);
  EXPECT_EQ(seen.power_violation_s, 1.5);
  EXPECT_EQ(seen.slowdown_temperature_c, 87);
  EXPECT_EQ(seen.memory_temperature_c, 45);
  EXPECT_EQ(seen.compute_mode, probe::compute_mode::exclusive_process);
  EXPECT_EQ(seen.virtualization, probe::gpu_virtualization::passthrough);
  EXPECT_EQ(seen.busy_percent, 70);
  EXPECT_EQ(seen.ecc, true);
  EXPECT_EQ(seen.ecc_after_reboot, false);
  EXPECT_TRUE(seen.rows && seen.rows->pending && !seen.rows->failed);
  EXPECT_EQ(seen.retired_pages, 3u);
  EXPECT_EQ(seen.window_bytes, 256u);
  EXPECT_EQ(read_confidential(talkative()), true);
}

TEST(nvml_condition, links_that_are_not_there_are_not_counted) {
  probe::gpu_condition seen;
  read_condition(talkative(), nullptr, seen);
  ASSERT_TRUE(seen.nvlinks);
  EXPECT_EQ(seen.nvlinks->present, 18);
  EXPECT_EQ(seen.nvlinks->active, 17);
  EXPECT_EQ(seen.nvlinks->errors, 51u);
}

TEST(nvml_condition, what_is_read_under_load_says_so) {
  probe::gpu_condition seen;
  read_condition(talkative(), nullptr, seen);
  EXPECT_FALSE(seen.clocks_under_load || seen.link->under_load);
  auto busy = talkative();
  busy.pcie_generation = [](nvml_handle, unsigned* answer) { return give(5u, answer); };
  read_under_load(busy, nullptr, seen);
  EXPECT_TRUE(seen.clocks_under_load && seen.link->under_load);
  EXPECT_EQ(seen.link->generation, 5);
}

TEST(nvml_condition, a_library_that_has_nothing_leaves_all_absent) {
  probe::gpu_condition seen;
  read_condition({}, nullptr, seen);
  EXPECT_FALSE(seen.sm_mhz || seen.holds || seen.power_limit_w || seen.temperature_c || seen.persistence ||
               seen.ecc || seen.rows || seen.retired_pages || seen.link || seen.nvlinks ||
               seen.window_bytes || seen.mig);
  EXPECT_FALSE(read_confidential({}));
}

TEST(nvml_condition, all_ones_are_no_value) {
  auto f = talkative();
  f.clock = [](nvml_handle, int, unsigned* answer) {
    return give(std::numeric_limits<unsigned>::max(), answer);
  };
  probe::gpu_condition seen;
  read_condition(f, nullptr, seen);
  EXPECT_FALSE(seen.sm_mhz);
  EXPECT_TRUE(seen.most_sm_mhz);
}

}  // namespace
}  // namespace ridge::backends::probe_cuda
