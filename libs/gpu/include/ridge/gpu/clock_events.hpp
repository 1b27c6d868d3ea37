// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ridge::gpu {

// Why the SM clock is not as high as it could be: NVML's clock event (once throttle) reasons, a bit each
// (nvmlClocksEventReasons of the NVML API Reference Guide, API version 13).
struct clock_events {
  static constexpr std::uint64_t idle_bit = 0x1;
  static constexpr std::uint64_t clocks_set_bit = 0x2;  // by nvidia-smi -ac
  static constexpr std::uint64_t power_cap_bit = 0x4;
  static constexpr std::uint64_t hardware_slowdown_bit = 0x8;  // also for a moment while clocks change
  static constexpr std::uint64_t sync_boost_bit = 0x10;
  static constexpr std::uint64_t thermal_slowdown_bit = 0x20;
  static constexpr std::uint64_t hardware_thermal_slowdown_bit = 0x40;
  static constexpr std::uint64_t power_brake_bit = 0x80;
  static constexpr std::uint64_t display_clock_bit = 0x100;

  std::uint64_t bits = 0;

  [[nodiscard]] bool idle() const { return (bits & idle_bit) != 0; }
  // Without idleness and without what somebody set: what holds the clock down under load. A bit that is not
  // known here stays in.
  [[nodiscard]] clock_events throttling() const;
  // One entry a bit, lowest first: "power cap", "thermal slowdown", "unknown reason 0x200".
  [[nodiscard]] std::vector<std::string> words() const;
};

}  // namespace ridge::gpu
