// SPDX-License-Identifier: Apache-2.0
#include "arithmetic/multiply_adds.hpp"

#include <cstdint>

#include "arithmetic/chain_kernel.cuh"

namespace ridge::backends::probe_cuda {
namespace {

__device__ float multiply_add(float x, float factor, float addend) { return __fmaf_rn(x, factor, addend); }
__device__ double multiply_add(double x, double factor, double addend) { return __fma_rn(x, factor, addend); }

// Multiply-adds of one number. Factor and addend are computed when the kernel runs, so that both stay in
// registers.
template <class Step>
struct single_fma {
  using value = typename Step::value;
  value factor, addend;
  __device__ explicit single_fma(bool zeros)
      : factor(zeros ? 0 : Step::factor), addend(zeros ? 0 : Step::addend) {}
  __device__ value seed(unsigned i) const { return addend == 0 ? 0 : Step::seed(i); }
  __device__ value operator()(value x) const { return multiply_add(x, factor, addend); }
  __device__ static float read(value x) { return static_cast<float>(x); }
};
struct fp32_fma : single_fma<fp32_step> {
  using single_fma::single_fma;
};
struct fp64_fma : single_fma<fp64_step> {
  using single_fma::single_fma;
};

// Multiply-adds of two numbers per word, with the bits of factor, addend and seeds from Pair. Seeds are
// between 1 and 2.
template <class Pair>
struct paired_fma {
  using value = std::uint32_t;
  value factor, addend;
  __device__ explicit paired_fma(bool zeros)
      : factor(zeros ? 0 : Pair::factor), addend(zeros ? 0 : Pair::addend) {}
  __device__ value seed(unsigned i) const {
    return addend == 0 ? 0 : Pair::ones | ((i * 2654435761u) & Pair::mantissas);
  }
  __device__ value operator()(value x) const { return Pair::multiply_add(x, factor, addend); }
  __device__ static float read(value x) { return Pair::low(x); }
};

// Factor 1 - 2^-6 and addend 2^-7.
struct fp16_pair {
  static constexpr std::uint32_t factor = 0x3BE03BE0, addend = 0x20002000;
  static constexpr std::uint32_t ones = 0x3C003C00, mantissas = 0x03FF03FF;
  __device__ static std::uint32_t multiply_add(std::uint32_t x, std::uint32_t f, std::uint32_t a) {
    std::uint32_t y;
    asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(y) : "r"(x), "r"(f), "r"(a));
    return y;
  }
  __device__ static float low(std::uint32_t x) {
    float y;
    asm("{ .reg .b16 l, h; mov.b32 {l, h}, %1; cvt.f32.f16 %0, l; }" : "=f"(y) : "r"(x));
    return y;
  }
};

// Factor 1 - 2^-7 and addend 2^-8.
struct bf16_pair {
  static constexpr std::uint32_t factor = 0x3F7E3F7E, addend = 0x3B803B80;
  static constexpr std::uint32_t ones = 0x3F803F80, mantissas = 0x007F007F;
  __device__ static std::uint32_t multiply_add(std::uint32_t x, std::uint32_t f, std::uint32_t a) {
    std::uint32_t y;
    asm("fma.rn.bf16x2 %0, %1, %2, %3;" : "=r"(y) : "r"(x), "r"(f), "r"(a));
    return y;
  }
  __device__ static float low(std::uint32_t x) { return __uint_as_float(x << 16); }
};

}  // namespace

double run_multiply_adds(chain_op op, const kernel_call& call, const chain_shape& shape) {
  switch (op) {
    case chain_op::fma_fp32:
      return run_chain_shape<fp32_fma>(call, shape);
    case chain_op::fma_fp64:
      return run_chain_shape<fp64_fma>(call, shape);
    case chain_op::fma_fp16:
      return run_chain_shape<paired_fma<fp16_pair>>(call, shape);
    default:
      return run_chain_shape<paired_fma<bf16_pair>>(call, shape);
  }
}

}  // namespace ridge::backends::probe_cuda
