// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace ridge::experiments::ch01_timing_pitfalls {

// The step of `zero_indices`: result[i] = data[slot_of(key, next key, n)], with the keys taken from `data`
// too. Zeros go to slot 0; neighbouring random numbers to any of the n slots.
[[nodiscard]] constexpr std::size_t slot_of(float key, float next, std::size_t n) {
  const std::uint32_t mixed = std::bit_cast<std::uint32_t>(key) * 0x9E3779B1U ^
                              std::rotl(std::bit_cast<std::uint32_t>(next) * 0x85EBCA77U, 13);
  return static_cast<std::size_t>(std::uint64_t{mixed} * n >> 32);
}

}  // namespace ridge::experiments::ch01_timing_pitfalls
