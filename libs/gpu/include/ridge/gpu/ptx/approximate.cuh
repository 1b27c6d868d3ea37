// SPDX-License-Identifier: Apache-2.0
#pragma once

// Approximate functions under their names in the PTX ISA.
namespace ridge::gpu::ptx {

// ex2.approx.ftz: 2^x with a relative error of at most 2^-22; subnormal numbers count as zero.
__device__ inline float ex2_approx_ftz(float x) {
  float power;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(x));
  return power;
}

}  // namespace ridge::gpu::ptx
