// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ridge::gpu {

// The reasons why the SM clock is lower than it could be, one bit per reason: NVML's clock event reasons,
// which were called throttle reasons before (nvmlClocksEventReasons in the NVML API Reference Guide, API
// version 13).
struct clock_events {
  static constexpr std::uint64_t idle_bit = 0x1;
  static constexpr std::uint64_t clocks_set_bit = 0x2;  // somebody set the clocks (nvidia-smi -ac)
  static constexpr std::uint64_t power_cap_bit = 0x4;
  static constexpr std::uint64_t hardware_slowdown_bit = 0x8;  // also set briefly while clocks change
  static constexpr std::uint64_t sync_boost_bit = 0x10;
  static constexpr std::uint64_t thermal_slowdown_bit = 0x20;
  static constexpr std::uint64_t hardware_thermal_slowdown_bit = 0x40;
  static constexpr std::uint64_t power_brake_bit = 0x80;
  static constexpr std::uint64_t display_clock_bit = 0x100;

  std::uint64_t bits = 0;

  // Whether the clock is low because the GPU has nothing to do.
  [[nodiscard]] bool idle() const { return (bits & idle_bit) != 0; }
  // The reasons that hold the clock down under load: all except idleness, clocks set by somebody and the
  // display. Bits that are not known here are kept.
  [[nodiscard]] clock_events throttling() const;
  // One entry per bit that is set, lowest bit first: "power cap", "thermal slowdown", "unknown reason 0x200".
  [[nodiscard]] std::vector<std::string> words() const;
};

}  // namespace ridge::gpu
