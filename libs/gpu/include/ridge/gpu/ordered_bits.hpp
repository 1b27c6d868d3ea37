// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// The bits of a float as an unsigned number in the order of the floats (M. Herf, Radix Tricks, 2001): a < b
// means ordered_bits(a's bits) < ordered_bits(b's bits). -0 comes before +0; a NaN lies beyond the infinity
// of its sign.
namespace ridge::gpu {

inline constexpr std::uint32_t sign_bit = 0x80000000U;

// The number for the bits of a float: a negative one is inverted, another gets the highest bit.
[[nodiscard]] constexpr std::uint32_t ordered_bits(std::uint32_t bits) {
  return bits ^ ((bits & sign_bit) != 0 ? 0xFFFFFFFFU : sign_bit);
}

// The bits of the float of which ordered_bits made this number.
[[nodiscard]] constexpr std::uint32_t float_bits(std::uint32_t ordered) {
  return ordered ^ ((ordered & sign_bit) != 0 ? sign_bit : 0xFFFFFFFFU);
}

}  // namespace ridge::gpu
