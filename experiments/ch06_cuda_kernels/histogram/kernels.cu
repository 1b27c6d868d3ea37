// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <ridge/gpu/check.hpp>
#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/ptx/load_once.cuh>
#include <ridge/gpu/reduce.cuh>

#include "histogram.hpp"

namespace ridge::experiments::ch06_histogram {
namespace {

constexpr unsigned threads = 1024;
constexpr unsigned loads = 2;  // of 16 bytes in flight per thread
constexpr unsigned blocks_per_sm = 2;
constexpr std::size_t vector = sizeof(uint4);

// The bytes of an array before and after its vectors of 16.
struct split {
  std::size_t head, vectors, n;
};

__global__ void __launch_bounds__(threads)
    count_in_global(const std::uint8_t* bytes, std::size_t n, std::uint32_t* counts) {
  const std::size_t i = blockIdx.x * std::size_t{threads} + threadIdx.x;
  if (i < n) atomicAdd(counts + bytes[i], 1U);
}

// Calls count(byte) for each of the thread's bytes, not always in all lanes of a warp.
template <class Count>
__device__ void for_each_byte(const std::uint8_t* bytes, const split& s, Count count) {
  const auto* vectors = reinterpret_cast<const uint4*>(bytes + s.head);
  const auto count_word = [&](std::uint32_t word) {
#pragma unroll
    for (unsigned b = 0; b < 4; ++b) count(word >> (8 * b) & 0xFFU);
  };
  const auto count_vector = [&](uint4 v) {
    count_word(v.x), count_word(v.y), count_word(v.z), count_word(v.w);
  };
  const std::size_t step = gridDim.x * std::size_t{threads} * loads;
  std::size_t i = blockIdx.x * std::size_t{threads} * loads + threadIdx.x;
  for (; i + (loads - 1) * threads < s.vectors; i += step) {
    uint4 v[loads];
#pragma unroll
    for (unsigned u = 0; u < loads; ++u) v[u] = gpu::ptx::ld_global_nc_once(vectors + i + u * threads);
#pragma unroll
    for (unsigned u = 0; u < loads; ++u) count_vector(v[u]);
  }
  for (; i < s.vectors; i += threads) count_vector(vectors[i]);
  if (blockIdx.x != 0) return;
  for (std::size_t j = threadIdx.x; j < s.head; j += threads) count(bytes[j]);
  for (std::size_t j = s.head + s.vectors * vector + threadIdx.x; j < s.n; j += threads) count(bytes[j]);
}

// Copies of the bins in shared memory: copy c of bin b is word b * Copies + c.
template <unsigned Copies>
struct block_bins {
  std::uint32_t* words;
  __device__ explicit block_bins(std::uint32_t* shared) : words(shared) {
    for (unsigned i = threadIdx.x; i < bins * Copies; i += threads) words[i] = 0;
    __syncthreads();
  }
  __device__ void add_to(std::uint32_t* counts) const {
    __syncthreads();
    for (unsigned b = threadIdx.x; b < bins; b += threads) {
      std::uint32_t sum = 0;
#pragma unroll 4
      for (unsigned c = 0; c < Copies; ++c) sum += words[b * Copies + (b + c) % Copies];
      if (sum != 0) atomicAdd(counts + b, sum);
    }
  }
};

template <unsigned Copies>
__global__ void __launch_bounds__(threads, blocks_per_sm)
    count_in_shared(const std::uint8_t* bytes, split s, std::uint32_t* counts) {
  __shared__ std::uint32_t words[bins * Copies];
  const block_bins<Copies> own(words);
  const unsigned copy = threadIdx.x % Copies;
  for_each_byte(bytes, s, [&](std::uint32_t byte) { atomicAdd(own.words + byte * Copies + copy, 1U); });
  own.add_to(counts);
}

__global__ void __launch_bounds__(threads)
    count_aggregated(const std::uint8_t* bytes, split s, std::uint32_t* counts) {
  __shared__ std::uint32_t words[bins];
  const block_bins<1> own(words);
  for_each_byte(bytes, s, [&](std::uint32_t byte) {
    const unsigned equal = __match_any_sync(__activemask(), byte);
    if (threadIdx.x % gpu::warp_lanes == static_cast<unsigned>(__ffs(static_cast<int>(equal))) - 1)
      atomicAdd(own.words + byte, static_cast<unsigned>(__popc(equal)));
  });
  own.add_to(counts);
}

void clear(const workload& w, stream queue) {
  gpu::check(cudaMemsetAsync(w.counts.data(), 0, w.counts.size_bytes(), queue), "cudaMemsetAsync of bins");
}

using kernel = void (*)(const std::uint8_t*, split, std::uint32_t*);

void launch_in_shared(kernel count, const workload& w, stream queue) {
  clear(w, queue);
  const std::size_t n = w.bytes.size(), past = reinterpret_cast<std::size_t>(w.bytes.data()) % vector;
  const std::size_t head = std::min(n, (vector - past) % vector), vectors = (n - head) / vector;
  if (n == 0) return;
  const unsigned blocks = std::max(
      1U, std::min(gpu::blocks_for(vectors, threads * loads), blocks_per_sm * gpu::multiprocessors()));
  gpu::launch(count, {blocks, threads, 0, queue}, w.bytes.data(), split{head, vectors, n}, w.counts.data());
}

}  // namespace

void launch_global_atomics(const workload& w, stream queue) {
  clear(w, queue);
  gpu::launch_each(count_in_global, w.bytes.size(), threads, queue, w.bytes.data(), w.bytes.size(),
                   w.counts.data());
}

void launch_shared_bins(const workload& w, stream queue) { launch_in_shared(count_in_shared<1>, w, queue); }

void launch_warp_aggregated(const workload& w, stream queue) { launch_in_shared(count_aggregated, w, queue); }

// 32 copies: lane l counts in bank l, so that no two lanes meet whatever the bytes are.
void launch_lane_bins(const workload& w, stream queue) {
  launch_in_shared(count_in_shared<gpu::warp_lanes>, w, queue);
}

}  // namespace ridge::experiments::ch06_histogram
