// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

// Rounding to the four-bit float e2m1 without its conversion instruction, which compute capability 10.0
// brings. The code of ridge::e2m1 (ridge/base/element.hpp), in arithmetic that a GPU does at its full rate.
namespace ridge::gpu {

#ifdef __CUDACC__
#define RIDGE_HOST_DEVICE __host__ __device__
#else
#define RIDGE_HOST_DEVICE
#endif

// a b + c, rounded once and clamped to 0..1 (fma.rn.sat.f32): on a GPU the clamp costs nothing.
RIDGE_HOST_DEVICE inline float saturated_fma(float a, float b, float c) {
#ifdef __CUDA_ARCH__
  float clamped;
  asm("fma.rn.sat.f32 %0, %1, %2, %3;" : "=f"(clamped) : "f"(a), "f"(b), "f"(c));
  return clamped;
#else
  return std::clamp(std::fma(a, b, c), 0.0F, 1.0F);
#endif
}

// The code of a number x >= 0 without its sign: in the three low bits of the result, whose other bits are not
// zero. x is rounded to nearest among 0, 0.5, 1, 1.5, 2, 3, 4, 6, halfway cases to the even code, and what is
// above 6 becomes 6.
// The steps between the codes are a half up to 2, one up to 4 and two up to 6: x is cut into these three
// parts, and each is rounded as a float is when it is added to a large one. 4 and 6 codes precede the second
// and the third part, both even, so that "even" means the same in each addition.
RIDGE_HOST_DEVICE inline std::uint32_t e2m1_code(float x) {
  constexpr float large = 12582912;  // 1.5 * 2^23: the unit of its last bit is 1
  const float halves = saturated_fma(x, 0.5F, 0.0F);
  const float ones = saturated_fma(x, 0.5F, -1.0F);
  const float twos = saturated_fma(x, 0.5F, -2.0F);
  const float rounded = std::fma(ones, 2.0F, std::fma(halves, 4.0F, large)) + twos;
#ifdef __CUDA_ARCH__
  return __float_as_uint(rounded);
#else
  return std::bit_cast<std::uint32_t>(rounded);
#endif
}

#undef RIDGE_HOST_DEVICE

}  // namespace ridge::gpu
