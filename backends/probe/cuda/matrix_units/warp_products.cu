// SPDX-License-Identifier: Apache-2.0
#include <type_traits>

#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/ptx/matrix.cuh>

#include "matrix_units/matrix_kernels.hpp"
#include "matrix_units/random_operands.hpp"
#include "timing/span_clock.cuh"

namespace ridge::backends::probe_cuda {
namespace {

constexpr unsigned threads = 256, blocks_per_processor = 2;
static_assert(threads == block_threads);
constexpr int firsts = 2, seconds = 4;  // operands of a warp; every first is multiplied by every second
constexpr int rounds_per_sum = 64;      // a sum starts again after so many products

struct first_operand {
  std::uint32_t words[4];  // 16 rows of 32 bytes, distributed over the lanes of a warp
};
struct second_operand {
  std::uint32_t words[2];  // 8 columns of 32 bytes
};

// The type of 16 x 8 sums, four per lane.
template <class Type>
struct warp_sum {
  using type = float;
};
template <>
struct warp_sum<int8_operand> {
  using type = std::int32_t;
};

#define RIDGE_PRODUCT(type_, instruction)                                                  \
  __device__ void add_product(type_, warp_sum<type_>::type(&d)[4], const first_operand& a, \
                              const second_operand& b) {                                   \
    gpu::ptx::instruction(d, a.words, b.words);                                            \
  }
RIDGE_PRODUCT(bf16_operand, mma_m16n8k16_f32_bf16)
RIDGE_PRODUCT(fp16_operand, mma_m16n8k16_f32_f16)
RIDGE_PRODUCT(tf32_operand, mma_m16n8k8_f32_tf32)
RIDGE_PRODUCT(int8_operand, mma_m16n8k32_s32_s8)
#if __CUDA_ARCH__ >= 890
RIDGE_PRODUCT(fp8_operand, mma_m16n8k32_f32_e4m3)
#endif
#undef RIDGE_PRODUCT

#ifdef __CUDA_ARCH__
template <class Type>
constexpr bool has_product = __CUDA_ARCH__ >= 890 || !std::is_same_v<Type, fp8_operand>;
#else
template <class Type>
constexpr bool has_product = false;
#endif

template <class Type>
__device__ float products(const first_operand (&a)[firsts], const second_operand (&b)[seconds], int rounds) {
  float total = 0;
  for (int round = 0; round < rounds; ++round) {
    typename warp_sum<Type>::type sums[firsts][seconds][4] = {};
    for (int again = 0; again < rounds_per_sum; ++again) {
#pragma unroll
      for (int i = 0; i < firsts; ++i) {
#pragma unroll
        for (int j = 0; j < seconds; ++j) add_product(Type{}, sums[i][j], a[i], b[j]);
      }
    }
#pragma unroll
    for (int i = 0; i < firsts; ++i) {
#pragma unroll
      for (int j = 0; j < seconds; ++j)
        total += static_cast<float>(sums[i][j][0] + sums[i][j][1] + sums[i][j][2] + sums[i][j][3]);
    }
  }
  return total;
}

template <class Type>
__global__ void __launch_bounds__(threads, blocks_per_processor)
    products_by_warps([[maybe_unused]] float* results, [[maybe_unused]] block_span* spans,
                      [[maybe_unused]] int rounds, [[maybe_unused]] bool zeros) {
  if constexpr (has_product<Type>) {
    const unsigned thread = blockIdx.x * threads + threadIdx.x;
    first_operand a[firsts];
    second_operand b[seconds];
    for (unsigned i = 0; i < firsts; ++i)
      for (unsigned k = 0; k < 4; ++k) a[i].words[k] = zeros ? 0 : random_word<Type>(16 * thread + 4 * i + k);
    for (unsigned j = 0; j < seconds; ++j)
      for (unsigned k = 0; k < 2; ++k)
        b[j].words[k] = zeros ? 0 : random_word<Type>(16 * thread + 4 * firsts + 2 * j + k);
    const span_clock clock;
    results[thread] = products<Type>(a, b, rounds);
    clock.end(spans);
  }
}

template <class Type>
double run(const kernel_call& call) {
  const auto blocks = static_cast<unsigned>(call.processors) * blocks_per_processor;
  gpu::launch(products_by_warps<Type>, {blocks, threads}, call.results, call.spans, call.rounds, call.zeros);
  constexpr double flop_per_round = 2.0 * rounds_per_sum * firsts * seconds * 16 * 8 * Type::depth;
  return flop_per_round * (threads / 32.0) * blocks * call.rounds;
}

}  // namespace

double multiply_by_warps(operand type, const kernel_call& call) {
  switch (type) {
    case operand::bf16:
      return run<bf16_operand>(call);
    case operand::fp16:
      return run<fp16_operand>(call);
    case operand::tf32:
      return run<tf32_operand>(call);
    case operand::fp8:
      return run<fp8_operand>(call);
    case operand::int8:
      return run<int8_operand>(call);
    default:
      return 0;
  }
}

}  // namespace ridge::backends::probe_cuda
