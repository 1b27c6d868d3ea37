// SPDX-License-Identifier: Apache-2.0
#include "memory/persistence_kernels.hpp"

#include <ridge/gpu/check.hpp>

#include "timing/span_clock.cuh"

namespace ridge::backends::probe_cuda {
namespace {

constexpr unsigned threads = 512, blocks_per_processor = 2, vectors_at_once = 4;
constexpr unsigned piece = threads * vectors_at_once;  // vectors of 16 bytes
constexpr int hot_pieces = 1, stream_pieces = 3, turns = 8;

__device__ float sum_of(const float4* source) {
  float4 held[vectors_at_once];
#pragma unroll
  for (unsigned k = 0; k < vectors_at_once; ++k) held[k] = __ldcg(source + k * threads + threadIdx.x);
  float sum = 0;
#pragma unroll
  for (unsigned k = 0; k < vectors_at_once; ++k) sum += held[k].x + held[k].y + held[k].z + held[k].w;
  return sum;
}

__global__ void __launch_bounds__(threads, blocks_per_processor)
    mixed_kernel(float* results, block_span* spans, int rounds, const float4* hot, unsigned hots,
                 const float4* stream, unsigned streams) {
  float sum = 0;
  unsigned at = blockIdx.x % streams, drawn = blockIdx.x * 2654435761u + 1;
  const span_clock clock;
  for (int i = 0; i < rounds * turns; ++i) {
    drawn = drawn * 1664525u + 1013904223u;
    sum += sum_of(hot + std::size_t{(drawn >> 8) % hots} * piece);
#pragma unroll
    for (int k = 0; k < stream_pieces; ++k) {
      sum += sum_of(stream + std::size_t{at} * piece);
      at = (at + gridDim.x) % streams;
    }
  }
  results[blockIdx.x * threads + threadIdx.x] = sum;
  clock.end(spans);
}

cudaLaunchAttribute window_of(const mixed_reads& reads) {
  cudaLaunchAttribute window{};
  window.id = cudaLaunchAttributeAccessPolicyWindow;
  auto& policy = window.val.accessPolicyWindow;
  policy.base_ptr = const_cast<float*>(reads.hot);
  policy.num_bytes = reads.hot_bytes;
  policy.hitRatio = 1;
  policy.hitProp = cudaAccessPropertyPersisting;
  policy.missProp = cudaAccessPropertyStreaming;
  return window;
}

unsigned pieces_in(std::size_t bytes) { return static_cast<unsigned>(bytes / 16 / piece); }
const float4* vectors(const float* floats) { return reinterpret_cast<const float4*>(floats); }

}  // namespace

double read_mixed(const kernel_call& call, const mixed_reads& reads) {
  auto window = window_of(reads);
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(call.processors) * blocks_per_processor);
  config.blockDim = dim3(threads);
  config.attrs = &window;
  config.numAttrs = reads.kept ? 1 : 0;
  gpu::check(
      cudaLaunchKernelEx(&config, mixed_kernel, call.results, call.spans, call.rounds, vectors(reads.hot),
                         pieces_in(reads.hot_bytes), vectors(reads.stream), pieces_in(reads.stream_bytes)),
      "cudaLaunchKernelEx of mixed_kernel");
  return 16.0 * piece * (hot_pieces + stream_pieces) * turns * config.gridDim.x * call.rounds;
}

}  // namespace ridge::backends::probe_cuda
