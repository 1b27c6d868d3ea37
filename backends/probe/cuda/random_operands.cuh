// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// Operands for the probes of the matrix units: of random sign and digits, of magnitudes from 1/8 to 2, the
// same for all types. Zeros and constants toggle fewer wires, take less power and so run at a higher clock
// than data does (13 % on an H200).
namespace ridge::backends::probe_cuda {

// depth: terms in the 32 bytes of a row that one instruction takes. random: the bits of four bytes of
// operands that are drawn: sign, the low two of the exponent, mantissa; fixed: those that are set.
struct bf16_operand {
  static constexpr int depth = 16;
  static constexpr std::uint32_t random = 0x81FF81FF, fixed = 0x3E003E00;
};
struct fp16_operand {
  static constexpr int depth = 16;
  static constexpr std::uint32_t random = 0x8FFF8FFF, fixed = 0x30003000;
};
struct tf32_operand {
  static constexpr int depth = 8;
  static constexpr std::uint32_t random = 0x81FFE000, fixed = 0x3E000000;
};
struct fp8_operand {
  static constexpr int depth = 32;
  static constexpr std::uint32_t random = 0x9F9F9F9F, fixed = 0x20202020;
};

template <class Type>
__device__ std::uint32_t random_word(std::uint32_t index) {
  std::uint32_t bits = (index + 1) * 2654435761u;
  bits = (bits ^ (bits >> 15)) * 2246822519u;
  bits = (bits ^ (bits >> 13)) * 3266489917u;
  return ((bits ^ (bits >> 16)) & Type::random) | Type::fixed;
}

}  // namespace ridge::backends::probe_cuda
