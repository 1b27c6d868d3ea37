// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>

namespace ridge::probe {

// What the kernel has counted so far.
struct system_counters {
  std::int64_t steal_ticks = 0, all_ticks = 0;  // of all CPUs, /proc/stat
  std::int64_t throttled_periods = 0;           // of this control group
  std::int64_t swapped_pages = 0;               // in and out, /proc/vmstat
  // Interrupts of devices on the CPUs asked for, by the name of their line in /proc/interrupts and the device
  // it serves ("24 nvme0q1").
  std::map<std::string, std::int64_t> interrupts{};
};

// Reads the counters from files below `root`, interrupts of these CPUs only. What cannot be read stays 0.
[[nodiscard]] system_counters read_system_counters(const std::filesystem::path& root,
                                                   std::span<const int> cpus);

// What happened between two readings of the counters.
struct activity {
  double seconds = 0;
  double steal_share = 0;  // of all CPUs' time, 0 to 1
  std::int64_t throttled_periods = 0;
  std::int64_t swapped_pages = 0;
  double interrupts_per_s = 0;
  std::string busiest_interrupt{};
};

// Returns what happened between two readings that lie `seconds` apart.
[[nodiscard]] activity between(const system_counters& before, const system_counters& after, double seconds);

// Reads the counters, sleeps for `how_long`, reads them again and returns what happened meanwhile.
[[nodiscard]] activity watch(const std::filesystem::path& root, std::span<const int> cpus,
                             std::chrono::milliseconds how_long);

}  // namespace ridge::probe
