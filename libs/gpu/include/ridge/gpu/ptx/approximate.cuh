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

// tanh.approx: the hyperbolic tangent with a relative error of at most 2^-11.
__device__ inline float tanh_approx(float x) {
  float tangent;
  asm("tanh.approx.f32 %0, %1;" : "=f"(tangent) : "f"(x));
  return tangent;
}

}  // namespace ridge::gpu::ptx
