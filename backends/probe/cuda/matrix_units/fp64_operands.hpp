// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ridge::backends::probe_cuda {

// The bits of a random number between 2 and 4. The operand of that index is the number minus 3, between -1
// and 1.
constexpr std::uint64_t fp64_bits(std::uint64_t index) {
  std::uint64_t bits = (index + 1) * 0x9E3779B97F4A7C15ull;
  bits = (bits ^ (bits >> 29)) * 0xBF58476D1CE4E5B9ull;
  return (bits >> 12) | 0x4000000000000000ull;
}

}  // namespace ridge::backends::probe_cuda
