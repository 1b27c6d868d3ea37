// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// Operands for the probes of the matrix units: of random sign and digits, of magnitudes from 1/8 to 2, the
// same for all types. Zeros and constants toggle fewer wires, take less power and so run at a higher clock
// than data does (13 % on an H200).
namespace ridge::backends::probe_cuda {

// depth: terms in the 32 bytes of a row that one instruction takes. random: the bits of four bytes of
// operands that are drawn: sign, the low two of the exponent, mantissa; fixed: those that are set.
// sums: registers of `sum` that a thread holds of 64 x 256 sums.
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
struct int8_operand {  // all of a byte
  static constexpr int depth = 32, sums = 128;
  static constexpr std::uint32_t random = 0xFFFFFFFF, fixed = 0;
  using sum = std::int32_t;
};
struct fp16_in_fp16_operand {  // sums in pairs
  static constexpr int depth = 16, sums = 64;
  static constexpr std::uint32_t random = fp16_operand::random, fixed = fp16_operand::fixed;
  using sum = std::uint32_t;
};

template <class Type>
constexpr std::uint32_t random_word(std::uint32_t index) {
  std::uint32_t bits = (index + 1) * 2654435761u;
  bits = (bits ^ (bits >> 15)) * 2246822519u;
  bits = (bits ^ (bits >> 13)) * 3266489917u;
  return ((bits ^ (bits >> 16)) & Type::random) | Type::fixed;
}

}  // namespace ridge::backends::probe_cuda
