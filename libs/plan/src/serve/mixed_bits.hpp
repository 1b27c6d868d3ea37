// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ridge::plan::serve {

// The finalizer of SplitMix64 (Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators", 2014).
[[nodiscard]] constexpr std::uint64_t mixed_bits(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

// Depends on the order of the two.
[[nodiscard]] constexpr std::uint64_t mixed_bits(std::uint64_t a, std::uint64_t b) {
  return mixed_bits(mixed_bits(a) ^ b);
}

}  // namespace ridge::plan::serve
