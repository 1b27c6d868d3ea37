// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// Two bf16 numbers in a 32-bit word, as memory holds them: the first in the low half.
namespace ridge::gpu {

// The first number.
__device__ inline float low_bf16(std::uint32_t word) { return __uint_as_float(word << 16); }
// The second number.
__device__ inline float high_bf16(std::uint32_t word) { return __uint_as_float(word & 0xFFFF0000U); }
// Number `index` (0 or 1).
__device__ inline float bf16_of(std::uint32_t word, unsigned index) {
  return index == 0 ? low_bf16(word) : high_bf16(word);
}

// Both numbers, rounded to nearest even (cvt.rn.bf16x2.f32). Compute capability 8.0.
__device__ inline std::uint32_t bf16x2(float low, float high) {
  std::uint32_t word;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(word) : "f"(high), "f"(low));
  return word;
}

#if __CUDA_ARCH__ >= 900

// mul.rn.bf16x2: products number by number, subnormal numbers kept. Compute capability 9.0.
__device__ inline std::uint32_t mul_bf16x2(std::uint32_t a, std::uint32_t b) {
  std::uint32_t word;
  asm("mul.rn.bf16x2 %0, %1, %2;" : "=r"(word) : "r"(a), "r"(b));
  return word;
}
// sub.rn.bf16x2: differences in the same way.
__device__ inline std::uint32_t sub_bf16x2(std::uint32_t a, std::uint32_t b) {
  std::uint32_t word;
  asm("sub.rn.bf16x2 %0, %1, %2;" : "=r"(word) : "r"(a), "r"(b));
  return word;
}

#endif

}  // namespace ridge::gpu
