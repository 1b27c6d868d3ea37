// SPDX-License-Identifier: Apache-2.0
#include <ridge/gpu/check.hpp>

#include "matrix_kernels.cuh"
#include "random_operands.cuh"

namespace ridge::backends::probe_cuda {
namespace {

constexpr unsigned threads = 256, blocks_a_processor = 2;
static_assert(threads == block_threads);
constexpr int firsts = 2, seconds = 4;  // operands that a warp holds; each meets each
constexpr int rounds_a_sum = 64;        // a sum is begun anew after so many

struct first_operand {
  std::uint32_t words[4];  // 16 rows of 32 bytes, over the lanes of a warp
};
struct second_operand {
  std::uint32_t words[2];  // 8 columns
};

#define RIDGE_PRODUCT(type, instruction)                                                                \
  __device__ void add_product(type, float(&d)[4], const first_operand& a, const second_operand& b) {    \
    asm volatile("mma.sync.aligned.m16n8" instruction                                                   \
                 " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "                                      \
                 "{%0, %1, %2, %3};"                                                                    \
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])                                       \
                 : "r"(a.words[0]), "r"(a.words[1]), "r"(a.words[2]), "r"(a.words[3]), "r"(b.words[0]), \
                   "r"(b.words[1]));                                                                    \
  }
RIDGE_PRODUCT(bf16_operand, "k16.row.col.f32.bf16.bf16.f32")
RIDGE_PRODUCT(fp16_operand, "k16.row.col.f32.f16.f16.f32")
RIDGE_PRODUCT(tf32_operand, "k8.row.col.f32.tf32.tf32.f32")
#if __CUDA_ARCH__ >= 890
RIDGE_PRODUCT(fp8_operand, "k32.row.col.f32.e4m3.e4m3.f32")
#else
__device__ void add_product(fp8_operand, float (&)[4], const first_operand&, const second_operand&) {}
#endif
#undef RIDGE_PRODUCT

template <class Type>
__global__ void __launch_bounds__(threads, blocks_a_processor) products_by_warps(float* to, int rounds) {
  const unsigned thread = blockIdx.x * threads + threadIdx.x;
  first_operand a[firsts];
  second_operand b[seconds];
  for (unsigned i = 0; i < firsts; ++i)
    for (unsigned k = 0; k < 4; ++k) a[i].words[k] = random_word<Type>(16 * thread + 4 * i + k);
  for (unsigned j = 0; j < seconds; ++j)
    for (unsigned k = 0; k < 2; ++k) b[j].words[k] = random_word<Type>(16 * thread + 4 * firsts + 2 * j + k);
  float total = 0;
  for (int round = 0; round < rounds; ++round) {
    float sums[firsts][seconds][4] = {};
    for (int again = 0; again < rounds_a_sum; ++again) {
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
        total += sums[i][j][0] + sums[i][j][1] + sums[i][j][2] + sums[i][j][3];
    }
  }
  to[thread] = total;
}

template <class Type>
double enqueue(float* to, int rounds, int processors, cudaStream_t on) {
  const auto blocks = static_cast<unsigned>(processors) * blocks_a_processor;
  products_by_warps<Type><<<blocks, threads, 0, on>>>(to, rounds);
  gpu::check_launch("products_by_warps");
  constexpr double flop_a_round = 2.0 * rounds_a_sum * firsts * seconds * 16 * 8 * Type::depth;
  return flop_a_round * (threads / 32.0) * blocks * rounds;
}

}  // namespace

double multiply_by_warps(operand type, float* to, int rounds, int processors, cudaStream_t on) {
  switch (type) {
    case operand::bf16:
      return enqueue<bf16_operand>(to, rounds, processors, on);
    case operand::fp16:
      return enqueue<fp16_operand>(to, rounds, processors, on);
    case operand::tf32:
      return enqueue<tf32_operand>(to, rounds, processors, on);
    default:
      return enqueue<fp8_operand>(to, rounds, processors, on);
  }
}

}  // namespace ridge::backends::probe_cuda
