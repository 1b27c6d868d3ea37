// SPDX-License-Identifier: Apache-2.0
#include "multiply_add.cuh"

#include <cstddef>

#include <ridge/gpu/check.hpp>

namespace ridge::backends::probe_cuda {
namespace {

constexpr unsigned threads = 256, blocks_a_processor = 8;
constexpr int chains = 8, steps = 16;

__global__ void __launch_bounds__(threads) multiply_add_kernel(float* to, int rounds) {
  float x[chains];
  const float factor = 1.0f - 0x1p-12f * static_cast<float>(threadIdx.x % 7 + 1), addend = 0x1p-11f;
#pragma unroll
  for (int i = 0; i < chains; ++i) x[i] = 1.0f + static_cast<float>(threadIdx.x * 8 + i) / 37.0f;
  for (int r = 0; r < rounds; ++r) {
#pragma unroll
    for (int u = 0; u < steps; ++u) {
#pragma unroll
      for (int i = 0; i < chains; ++i) x[i] = __fmaf_rn(x[i], factor, addend);
    }
  }
  float sum = 0;
#pragma unroll
  for (int i = 0; i < chains; ++i) sum += x[i];
  to[blockIdx.x * std::size_t{threads} + threadIdx.x] = sum;
}

}  // namespace

double multiply_add(float* to, int rounds, int processors, cudaStream_t on) {
  const auto blocks = static_cast<unsigned>(processors) * blocks_a_processor;
  multiply_add_kernel<<<blocks, threads, 0, on>>>(to, rounds);
  gpu::check_launch("multiply_add_kernel");
  return 2.0 * chains * steps * threads * blocks * rounds;
}

}  // namespace ridge::backends::probe_cuda
