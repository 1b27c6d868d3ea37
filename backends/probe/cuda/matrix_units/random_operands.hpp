// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// Operands for the probes of the matrix units: numbers of random sign and digits with magnitudes from 1/8 to
// 2, for all types. Zeros and constants toggle fewer wires and take less power, so that they run at a higher
// clock than data does (13 % on an H200).
namespace ridge::backends::probe_cuda {

// An operand type. depth: number of terms in the 32 bytes of a row that one instruction takes. sums: number
// of registers of type `sum` that a thread holds of 64 x 256 sums. random: mask of the bits of a word of
// operands that are drawn (sign, the low two bits of the exponent, mantissa). fixed: the bits that are set.
struct bf16_operand {
  static constexpr int depth = 16, sums = 128;
  static constexpr std::uint32_t random = 0x81FF81FF, fixed = 0x3E003E00;
  using sum = float;
};
struct fp16_operand {
  static constexpr int depth = 16, sums = 128;
  static constexpr std::uint32_t random = 0x8FFF8FFF, fixed = 0x30003000;
  using sum = float;
};
struct tf32_operand {
  static constexpr int depth = 8, sums = 128;
  static constexpr std::uint32_t random = 0x81FFE000, fixed = 0x3E000000;
  using sum = float;
};
struct fp8_operand {
  static constexpr int depth = 32, sums = 128;
  static constexpr std::uint32_t random = 0x9F9F9F9F, fixed = 0x20202020;
  using sum = float;
};
struct int8_operand {  // all bits of a byte are drawn
  static constexpr int depth = 32, sums = 128;
  static constexpr std::uint32_t random = 0xFFFFFFFF, fixed = 0;
  using sum = std::int32_t;
};
struct fp16_in_fp16_operand {  // two sums per register
  static constexpr int depth = 16, sums = 64;
  static constexpr std::uint32_t random = fp16_operand::random, fixed = fp16_operand::fixed;
  using sum = std::uint32_t;
};

// The word of operands of that index.
template <class Type>
constexpr std::uint32_t random_word(std::uint32_t index) {
  std::uint32_t bits = (index + 1) * 2654435761u;
  bits = (bits ^ (bits >> 15)) * 2246822519u;
  bits = (bits ^ (bits >> 13)) * 3266489917u;
  return ((bits ^ (bits >> 16)) & Type::random) | Type::fixed;
}

}  // namespace ridge::backends::probe_cuda
