// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// Operations on the bits of 32-bit words (PTX ISA, lop3 and prmt).
namespace ridge::gpu::ptx {

// lop3: the bits that the truth table `Table` gives for those of a, b and c: bit 4 a + 2 b + c of the table.
template <unsigned Table>
__device__ std::uint32_t lop3(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  std::uint32_t d;
  asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(d) : "r"(a), "r"(b), "r"(c), "n"(Table));
  return d;
}
// The table of (a & b) | c.
inline constexpr unsigned and_or = (0xF0 & 0xCC) | 0xAA;

// prmt: four bytes of the eight of a (0 to 3) and b (4 to 7), each chosen by four bits of `Selector`, the
// lowest first.
template <unsigned Selector>
__device__ std::uint32_t prmt(std::uint32_t a, std::uint32_t b) {
  std::uint32_t d;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "n"(Selector));
  return d;
}

}  // namespace ridge::gpu::ptx
