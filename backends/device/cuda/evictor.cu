// SPDX-License-Identifier: Apache-2.0
#include "evictor.hpp"

#include <algorithm>
#include <cstdint>

#include <ridge/base/expects.hpp>
#include <ridge/gpu/check.hpp>
#include <ridge/gpu/launch.cuh>

namespace ridge::backends::device_cuda {
namespace {

constexpr unsigned threads = 256;
constexpr unsigned most_blocks = 2048;

// Uses ordinary stores: lines written with a streaming hint would be evicted before the lines that they
// should replace.
__global__ void __launch_bounds__(threads) write_all(uint4* target, std::size_t vectors) {
  const std::size_t step = std::size_t{gridDim.x} * threads;
  for (std::size_t i = std::size_t{blockIdx.x} * threads + threadIdx.x; i < vectors; i += step) {
    target[i] = make_uint4(0, 0, 0, 0);
  }
}

// The buffer holds zeros only, which the compiler cannot know, so nothing is ever written.
__global__ void __launch_bounds__(threads) read_all(uint4* source, std::size_t vectors) {
  const std::size_t step = std::size_t{gridDim.x} * threads;
  unsigned seen = 0;
#pragma unroll 8
  for (std::size_t i = std::size_t{blockIdx.x} * threads + threadIdx.x; i < vectors; i += step) {
    const uint4 v = __ldcg(source + i);
    seen |= v.x | v.y | v.z | v.w;
  }
  if (seen != 0) source[0] = make_uint4(seen, 0, 0, 0);
}

unsigned evicting_blocks(std::size_t vectors) {
  return static_cast<unsigned>(std::min<std::size_t>(gpu::blocks_for(vectors, threads), most_blocks));
}

}  // namespace

evictor::evictor(std::size_t bytes, bool reads_alone)
    : vectors_(bytes / sizeof(uint4)), reads_alone_(reads_alone), written_(bytes), read_(bytes) {
  expects(bytes >= sizeof(uint4) && bytes % sizeof(uint4) == 0, "cuda: evicted_bytes is a multiple of 16");
  gpu::check(cudaMemset(read_.data(), 0, bytes), "cudaMemset of the clean buffer");
  gpu::check(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0), "cudaDeviceSetLimit of persisting L2");
  gpu::check(cudaCtxResetPersistingL2Cache(), "cudaCtxResetPersistingL2Cache");
}

std::string evictor::tampering() const {
  std::size_t allowed = 0;
  gpu::check(cudaDeviceGetLimit(&allowed, cudaLimitPersistingL2CacheSize),
             "cudaDeviceGetLimit of persisting L2");
  return allowed == 0 ? "" : "somebody allowed " + std::to_string(allowed) + " bytes of L2 to persist";
}

void evictor::evict(cudaStream_t queue) {
  const unsigned blocks = evicting_blocks(vectors_);
  if (!reads_alone_) {
    gpu::launch(write_all, {blocks, threads, 0, queue}, written_.as<uint4>(), vectors_);
  }
  gpu::launch(read_all, {blocks, threads, 0, queue}, read_.as<uint4>(), vectors_);
}

}  // namespace ridge::backends::device_cuda
