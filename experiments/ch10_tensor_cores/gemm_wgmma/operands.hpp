// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/kernels/product_launch.cuh>

#include "gemm_wgmma.hpp"

namespace ridge::experiments::ch10_gemm_wgmma {

inline kernels::product_operands operands_of(const workload& w, const fp8_operands& narrowed) {
  auto p = kernels::operands_of(w);
  p.a = narrowed.a.data(), p.b = narrowed.b.data();
  return p;
}

// The epilogue of fp8 products: sums times the values of one step of either operand.
struct scaled {
  const float* scales;
  __device__ bool holds(unsigned, unsigned) const { return true; }
  template <bool Inside>
  __device__ void apply(unsigned, unsigned, float& x, float& y) const {
    const float scale = scales[0] * scales[floats_a_scale];
    x *= scale, y *= scale;
  }
  __device__ void finish() const {}
};

}  // namespace ridge::experiments::ch10_gemm_wgmma
