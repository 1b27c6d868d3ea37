// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// Approximate functions and conversions of pairs, under their names in the PTX ISA.
namespace ridge::gpu::ptx {

// ex2.approx.ftz: 2^x with a relative error of at most 2^-22; subnormal numbers count as zero.
__device__ inline float ex2_approx_ftz(float x) {
  float power;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(x));
  return power;
}

// cvt.rn.bf16x2: both numbers rounded to bf16, `low` in the lower half of the word.
__device__ inline std::uint32_t cvt_rn_bf16x2(float low, float high) {
  std::uint32_t pair;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
  return pair;
}

}  // namespace ridge::gpu::ptx
