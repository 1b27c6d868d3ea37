// SPDX-License-Identifier: Apache-2.0
#include "synthetic/synthetic_kernels.cuh"

#include <ridge/gpu/launch.cuh>

namespace ridge::backends::probe_cuda {
namespace {

constexpr unsigned threads = synthetic_block, blocks_per_processor = 4;
constexpr int quads = 4, chains = 4 * quads;
constexpr int counts[] = {0, 1, 2, 4, 8, 16, 32, 64, 128, 256};

template <int Count>
__device__ void multiply_add(float (&y)[chains], float (&sum)[chains]) {
#pragma unroll 8
  for (int step = 1; step < Count; ++step) {
#pragma unroll
    for (int i = 0; i < chains; ++i) y[i] = __fmaf_rn(y[i], synthetic_factor, synthetic_addend);
  }
#pragma unroll
  for (int i = 0; i < chains; ++i) {
    sum[i] = Count == 0 ? __int_as_float(__float_as_int(sum[i]) ^ __float_as_int(y[i]))
                        : __fmaf_rn(y[i], synthetic_factor, sum[i]);
  }
}

// A thread issues all loads of a piece, 64 bytes, before it uses the first.
template <int Count>
__global__ void __launch_bounds__(threads, blocks_per_processor)
    synthetic_kernel(const float4* source, float* results, std::size_t pieces, int rounds) {
  float sum[chains] = {}, y[chains];
  for (int r = 0; r < rounds; ++r) {
    for (std::size_t p = blockIdx.x; p < pieces; p += gridDim.x) {
      const float4* at = source + p * (threads * quads) + threadIdx.x;
      float4 read[quads];
#pragma unroll
      for (int q = 0; q < quads; ++q) read[q] = __ldcg(at + q * threads);
#pragma unroll
      for (int q = 0; q < quads; ++q) {
        y[4 * q] = read[q].x, y[4 * q + 1] = read[q].y, y[4 * q + 2] = read[q].z, y[4 * q + 3] = read[q].w;
      }
      multiply_add<Count>(y, sum);
    }
  }
  float all = 0;
#pragma unroll
  for (int i = 0; i < chains; ++i) all += sum[i];
  results[blockIdx.x * std::size_t{threads} + threadIdx.x] = all;
}

template <int Count>
void launch(const float* source, float* results, std::size_t pieces, int rounds, int processors,
            cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>(processors) * blocks_per_processor;
  gpu::launch(synthetic_kernel<Count>, {blocks, threads, 0, stream}, reinterpret_cast<const float4*>(source),
              results, pieces, rounds);
}

__global__ void __launch_bounds__(threads, blocks_per_processor)
    synthetic_peak_kernel(float* results, int rounds) {
  float sum[chains], all = 0;
#pragma unroll
  for (int i = 0; i < chains; ++i) sum[i] = 1.0f + static_cast<float>(threadIdx.x * chains + i) / 37.0f;
  for (int r = 0; r < rounds; ++r) {
#pragma unroll 8
    for (int step = 0; step < 256; ++step) {
#pragma unroll
      for (int i = 0; i < chains; ++i) sum[i] = __fmaf_rn(sum[i], synthetic_factor, synthetic_addend);
    }
  }
#pragma unroll
  for (int i = 0; i < chains; ++i) all += sum[i];
  results[blockIdx.x * std::size_t{threads} + threadIdx.x] = all;
}

__global__ void fill_kernel(float* target, std::size_t count) {
  const std::size_t at = blockIdx.x * std::size_t{threads} + threadIdx.x;
  if (at < count) target[at] = 0.5f + static_cast<float>((at * 2654435761u) >> 8 & 0xffffffu) * 0x1p-24f;
}

using launcher = void (*)(const float*, float*, std::size_t, int, int, cudaStream_t);
constexpr launcher launchers[] = {launch<0>,  launch<1>,  launch<2>,  launch<4>,   launch<8>,
                                  launch<16>, launch<32>, launch<64>, launch<128>, launch<256>};

}  // namespace

std::span<const int> synthetic_counts() { return counts; }

std::size_t synthetic_threads(int processors) {
  return static_cast<std::size_t>(processors) * blocks_per_processor * threads;
}

double synthetic_peak(float* results, int rounds, int processors, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>(processors) * blocks_per_processor;
  gpu::launch(synthetic_peak_kernel, {blocks, threads, 0, stream}, results, rounds);
  return 2.0 * 256 * chains * threads * blocks * rounds;
}

void fill_synthetic(float* target, std::size_t count, cudaStream_t stream) {
  gpu::launch(fill_kernel, {gpu::blocks_for(count, threads), threads, 0, stream}, target, count);
}

synthetic_work synthetic(const float* source, float* results, std::size_t count, int rounds,
                         int fma_per_element, int processors, cudaStream_t stream) {
  const auto pieces = count / synthetic_piece;
  const double elements = static_cast<double>(pieces * synthetic_piece) * rounds;
  for (std::size_t i = 0; i < std::size(counts); ++i) {
    if (counts[i] == fma_per_element) launchers[i](source, results, pieces, rounds, processors, stream);
  }
  return {elements * sizeof(float), 2.0 * fma_per_element * elements};
}

}  // namespace ridge::backends::probe_cuda
