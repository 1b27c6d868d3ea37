// SPDX-License-Identifier: Apache-2.0
#include "memory_kernels.cuh"

#include <ridge/gpu/check.hpp>

namespace ridge::backends::probe_cuda {
namespace {

constexpr unsigned threads = 512, blocks_a_processor = 2;
// Of 16 bytes a thread: 64 KiB a multiprocessor, an H200 wants 48. Reads alone want more.
constexpr int copied_at_once = 4, read_at_once = 8;

__global__ void fill_kernel(float* to, std::size_t count) {
  for (std::size_t i = blockIdx.x * std::size_t{threads} + threadIdx.x; i < count;
       i += gridDim.x * std::size_t{threads}) {
    auto bits = static_cast<unsigned>(i) * 2654435761u;
    bits ^= bits >> 15;
    to[i] = __uint_as_float(0x3f800000u | (bits & 0x7fffffu)) - 1.5f;
  }
}

// A block takes contiguous pieces of threads x copied_at_once vectors, one after the other.
__global__ void __launch_bounds__(threads, blocks_a_processor)
    copy_kernel(const float4* __restrict__ from, float4* __restrict__ to, std::size_t vectors) {
  constexpr std::size_t piece = std::size_t{threads} * copied_at_once;
  for (std::size_t start = blockIdx.x * piece; start < vectors; start += gridDim.x * piece) {
    float4 held[copied_at_once];
#pragma unroll
    for (int k = 0; k < copied_at_once; ++k) {
      const std::size_t i = start + k * std::size_t{threads} + threadIdx.x;
      if (i < vectors) held[k] = __ldcs(from + i);
    }
#pragma unroll
    for (int k = 0; k < copied_at_once; ++k) {
      const std::size_t i = start + k * std::size_t{threads} + threadIdx.x;
      if (i < vectors) __stcs(to + i, held[k]);
    }
  }
}

// Reads one piece of threads x read_at_once vectors past the first-level cache.
__device__ float sum_of_piece(const float4* __restrict__ piece) {
  float4 held[read_at_once];
#pragma unroll
  for (int k = 0; k < read_at_once; ++k) held[k] = __ldcg(piece + k * threads + threadIdx.x);
  float sum = 0;
#pragma unroll
  for (int k = 0; k < read_at_once; ++k) sum += held[k].x + held[k].y + held[k].z + held[k].w;
  return sum;
}

constexpr std::size_t read_piece = std::size_t{threads} * read_at_once;

__global__ void __launch_bounds__(threads, blocks_a_processor)
    read_kernel(const float4* __restrict__ from, float* __restrict__ to, unsigned pieces) {
  float sum = 0;
  for (unsigned i = blockIdx.x; i < pieces; i += gridDim.x) sum += sum_of_piece(from + i * read_piece);
  to[blockIdx.x * threads + threadIdx.x] = sum;
}

// Every block reads everything, each from another piece on.
__global__ void __launch_bounds__(threads, blocks_a_processor)
    read_again_kernel(const float4* __restrict__ from, float* __restrict__ to, unsigned pieces, int rounds) {
  float sum = 0;
  unsigned at = blockIdx.x % pieces;
  for (unsigned left = static_cast<unsigned>(rounds) * pieces; left > 0; --left) {
    sum += sum_of_piece(from + at * read_piece);
    at = at + 1 < pieces ? at + 1 : 0;
  }
  to[blockIdx.x * threads + threadIdx.x] = sum;
}

unsigned blocks_on(int processors) { return static_cast<unsigned>(processors) * blocks_a_processor; }
const float4* vectors(const float* at) { return reinterpret_cast<const float4*>(at); }

}  // namespace

void fill_unlike(float* to, std::size_t count, cudaStream_t on) {
  fill_kernel<<<1024, threads, 0, on>>>(to, count);
  gpu::check_launch("fill_kernel");
}

void copy(const float* from, float* to, std::size_t count, int processors, cudaStream_t on) {
  copy_kernel<<<blocks_on(processors), threads, 0, on>>>(vectors(from), reinterpret_cast<float4*>(to),
                                                         count / 4);
  gpu::check_launch("copy_kernel");
}

double read(const float* from, float* to, std::size_t count, int processors, cudaStream_t on) {
  const auto pieces = static_cast<unsigned>(count / 4 / read_piece);
  read_kernel<<<blocks_on(processors), threads, 0, on>>>(vectors(from), to, pieces);
  gpu::check_launch("read_kernel");
  return static_cast<double>(pieces * read_piece * sizeof(float4));
}

double read_again(const float* from, float* to, std::size_t count, int rounds, int processors,
                  cudaStream_t on) {
  const auto pieces = static_cast<unsigned>(count / 4 / read_piece);
  read_again_kernel<<<blocks_on(processors), threads, 0, on>>>(vectors(from), to, pieces, rounds);
  gpu::check_launch("read_again_kernel");
  return static_cast<double>(pieces * read_piece * sizeof(float4)) * blocks_on(processors) * rounds;
}

std::size_t read_threads(int processors) { return std::size_t{blocks_on(processors)} * threads; }

}  // namespace ridge::backends::probe_cuda
