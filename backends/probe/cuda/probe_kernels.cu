// SPDX-License-Identifier: Apache-2.0
#include "probe_kernels.cuh"

#include <ridge/gpu/check.hpp>

namespace ridge::backends::probe_cuda {
namespace {

constexpr unsigned threads = 512;
constexpr unsigned fma_threads = 256, fma_blocks_a_processor = 8;
constexpr int loads_in_flight =
    4;  // of 16 bytes a thread: 64 KiB a processor at two blocks, an H200 wants 48

__global__ void fill_kernel(float* to, std::size_t count) {
  for (std::size_t i = blockIdx.x * std::size_t{threads} + threadIdx.x; i < count;
       i += gridDim.x * std::size_t{threads}) {
    auto bits = static_cast<unsigned>(i) * 2654435761u;
    bits ^= bits >> 15;
    to[i] = __uint_as_float(0x3f800000u | (bits & 0x7fffffu)) - 1.5f;
  }
}

// A block takes contiguous pieces of threads x loads_in_flight vectors, one after the other.
__global__ void __launch_bounds__(threads, 2)
    copy_kernel(const float4* __restrict__ from, float4* __restrict__ to, std::size_t vectors) {
  constexpr std::size_t piece = std::size_t{threads} * loads_in_flight;
  for (std::size_t start = blockIdx.x * piece; start < vectors; start += gridDim.x * piece) {
    float4 held[loads_in_flight];
#pragma unroll
    for (int k = 0; k < loads_in_flight; ++k) {
      const std::size_t i = start + k * std::size_t{threads} + threadIdx.x;
      if (i < vectors) held[k] = __ldcs(from + i);
    }
#pragma unroll
    for (int k = 0; k < loads_in_flight; ++k) {
      const std::size_t i = start + k * std::size_t{threads} + threadIdx.x;
      if (i < vectors) __stcs(to + i, held[k]);
    }
  }
}

__global__ void __launch_bounds__(fma_threads) multiply_add_kernel(float* to, int rounds) {
  float x[multiply_adds_a_round];
  const float factor = 1.0f - 0x1p-12f * static_cast<float>(threadIdx.x % 7 + 1), addend = 0x1p-11f;
#pragma unroll
  for (int i = 0; i < multiply_adds_a_round; ++i)
    x[i] = 1.0f + static_cast<float>(threadIdx.x * 8 + i) / 37.0f;
  for (int r = 0; r < rounds; r += 16) {
#pragma unroll
    for (int u = 0; u < 16; ++u) {
#pragma unroll
      for (int i = 0; i < multiply_adds_a_round; ++i) x[i] = __fmaf_rn(x[i], factor, addend);
    }
  }
  float sum = 0;
#pragma unroll
  for (int i = 0; i < multiply_adds_a_round; ++i) sum += x[i];
  to[blockIdx.x * std::size_t{fma_threads} + threadIdx.x] = sum;
}

}  // namespace

void fill_unlike(float* to, std::size_t count, cudaStream_t on) {
  fill_kernel<<<1024, threads, 0, on>>>(to, count);
  gpu::check_launch("fill_kernel");
}

void copy(const float* from, float* to, std::size_t count, int processors, cudaStream_t on) {
  copy_kernel<<<static_cast<unsigned>(2 * processors), threads, 0, on>>>(
      reinterpret_cast<const float4*>(from), reinterpret_cast<float4*>(to), count / 4);
  gpu::check_launch("copy_kernel");
}

void multiply_add(float* to, int rounds, int processors, cudaStream_t on) {
  multiply_add_kernel<<<static_cast<unsigned>(processors) * fma_blocks_a_processor, fma_threads, 0, on>>>(
      to, rounds);
  gpu::check_launch("multiply_add_kernel");
}

std::size_t multiply_add_threads(int processors) {
  return static_cast<std::size_t>(processors) * fma_blocks_a_processor * fma_threads;
}

}  // namespace ridge::backends::probe_cuda
