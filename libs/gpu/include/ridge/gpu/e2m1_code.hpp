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

// Clamps x to 0..1; an operand modifier of multiplications and additions on a GPU.
RIDGE_HOST_DEVICE inline float saturated(float x) {
#ifdef __CUDA_ARCH__
  return __saturatef(x);
#else
  return std::min(std::max(x, 0.0F), 1.0F);
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
  const float halves = saturated(x * 0.5F);
  const float ones = saturated(std::fma(x, 0.5F, -1.0F));
  const float twos = saturated(std::fma(x, 0.5F, -2.0F));
  const float rounded = std::fma(ones, 2.0F, std::fma(halves, 4.0F, large)) + twos;
#ifdef __CUDA_ARCH__
  return __float_as_uint(rounded);
#else
  return std::bit_cast<std::uint32_t>(rounded);
#endif
}

#undef RIDGE_HOST_DEVICE

}  // namespace ridge::gpu
