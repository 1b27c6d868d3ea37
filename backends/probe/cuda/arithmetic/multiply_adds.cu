// SPDX-License-Identifier: Apache-2.0
#include "arithmetic/multiply_adds.hpp"

#include <cstdint>

#include "arithmetic/chain_kernel.cuh"

namespace ridge::backends::probe_cuda {
namespace {

// Factor and addend are known when the kernel runs and not before, so that both stay in registers.
struct fp32_fma {
  using value = float;
  float factor, addend;
  __device__ explicit fp32_fma(bool zeros)
      : factor(zeros ? 0 : fp32_step::factor), addend(zeros ? 0 : fp32_step::addend) {}
  __device__ float seed(unsigned i) const { return addend == 0 ? 0 : fp32_step::seed(i); }
  __device__ float operator()(float x) const { return __fmaf_rn(x, factor, addend); }
  __device__ static float read(float x) { return x; }
};

struct fp64_fma {
  using value = double;
  double factor, addend;
  __device__ explicit fp64_fma(bool zeros)
      : factor(zeros ? 0 : fp64_step::factor), addend(zeros ? 0 : fp64_step::addend) {}
  __device__ double seed(unsigned i) const { return addend == 0 ? 0 : fp64_step::seed(i); }
  __device__ double operator()(double x) const { return __fma_rn(x, factor, addend); }
  __device__ static float read(double x) { return static_cast<float>(x); }
};

// Two fp16 in a word: 1 - 2^-6 and 2^-7; seeds between 1 and 2.
struct fp16_fma {
  using value = std::uint32_t;
  value factor, addend;
  __device__ explicit fp16_fma(bool zeros)
      : factor(zeros ? 0 : 0x3BE03BE0u), addend(zeros ? 0 : 0x20002000u) {}
  __device__ value seed(unsigned i) const {
    return addend == 0 ? 0 : 0x3C003C00u | ((i * 2654435761u) & 0x03FF03FFu);
  }
  __device__ value operator()(value x) const {
    value y;
    asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(y) : "r"(x), "r"(factor), "r"(addend));
    return y;
  }
  __device__ static float read(value x) {
    float y;
    asm("{ .reg .b16 l, h; mov.b32 {l, h}, %1; cvt.f32.f16 %0, l; }" : "=f"(y) : "r"(x));
    return y;
  }
};

// Two bf16: 1 - 2^-7 and 2^-8.
struct bf16_fma {
  using value = std::uint32_t;
  value factor, addend;
  __device__ explicit bf16_fma(bool zeros)
      : factor(zeros ? 0 : 0x3F7E3F7Eu), addend(zeros ? 0 : 0x3B803B80u) {}
  __device__ value seed(unsigned i) const {
    return addend == 0 ? 0 : 0x3F803F80u | ((i * 2654435761u) & 0x007F007Fu);
  }
  __device__ value operator()(value x) const {
    value y;
    asm("fma.rn.bf16x2 %0, %1, %2, %3;" : "=r"(y) : "r"(x), "r"(factor), "r"(addend));
    return y;
  }
  __device__ static float read(value x) { return __uint_as_float(x << 16); }
};

}  // namespace

double run_multiply_adds(chain_op op, const kernel_call& call, const chain_shape& shape) {
  switch (op) {
    case chain_op::fma_fp32:
      return run_chain_shape<fp32_fma>(call, shape);
    case chain_op::fma_fp64:
      return run_chain_shape<fp64_fma>(call, shape);
    case chain_op::fma_fp16:
      return run_chain_shape<fp16_fma>(call, shape);
    default:
      return run_chain_shape<bf16_fma>(call, shape);
  }
}

}  // namespace ridge::backends::probe_cuda
