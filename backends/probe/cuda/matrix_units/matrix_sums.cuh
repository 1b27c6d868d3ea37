// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix_units/random_operands.hpp"

namespace ridge::backends::probe_cuda {

// The value of one register of sums as a float; a register of two fp16 sums gives their total.
template <class Type>
__device__ float read_sum(Type, typename Type::sum x) {
  return static_cast<float>(x);
}

__device__ inline float read_sum(fp16_in_fp16_operand, std::uint32_t pair) {
  float low, high;
  asm("{ .reg .b16 l, h; mov.b32 {l, h}, %2; cvt.f32.f16 %0, l; cvt.f32.f16 %1, h; }"
      : "=f"(low), "=f"(high)
      : "r"(pair));
  return low + high;
}

}  // namespace ridge::backends::probe_cuda
