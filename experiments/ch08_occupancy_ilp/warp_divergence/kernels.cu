// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>

#include <thrust/iterator/counting_iterator.h>
#include <cub/device/device_partition.cuh>

#include <ridge/gpu/launch.cuh>

#include "warp_divergence.hpp"

namespace ridge::experiments::ch08_warp_divergence {
namespace {

constexpr unsigned threads = 256, lanes = 32, whole_warp = 0xFFFFFFFF;

__device__ float after_steps(float v, unsigned steps) {
  if (v > 0) {
    for (unsigned s = 0; s < steps; ++s) v = fmaf(-rate, v, v);
  } else {
    for (unsigned s = 0; s < steps; ++s) v = fmaf(-rate * v, v * v, v);
  }
  return v;
}

__global__ void __launch_bounds__(threads)
    diverging(const float* source, float* target, std::size_t n, unsigned steps) {
  const std::size_t i = blockIdx.x * std::size_t{threads} + threadIdx.x;
  if (i < n) target[i] = after_steps(source[i], steps);
}

__global__ void __launch_bounds__(threads)
    in_order(const float* source, float* target, const std::uint32_t* order, std::size_t n, unsigned steps) {
  const std::size_t k = blockIdx.x * std::size_t{threads} + threadIdx.x;
  if (k < n) target[order[k]] = after_steps(source[order[k]], steps);
}

struct above_zero {
  const float* source;
  __device__ bool operator()(std::uint32_t i) const { return source[i] > 0; }
};

constexpr unsigned elements = 4, tile = elements * threads;  // of a thread, of a block

// Returns where this lane's element goes in a tile of `count` elements: those above zero come first, the
// others fill it from its end. `taken` counts both; all lanes of the warp call.
__device__ unsigned slot_of(bool above, bool below, unsigned count, unsigned (&taken)[2]) {
  const unsigned lane = threadIdx.x % lanes, before = (1U << lane) - 1;
  const unsigned aboves = __ballot_sync(whole_warp, above), belows = __ballot_sync(whole_warp, below);
  unsigned mine = 0;
  if (lane < 2) mine = atomicAdd(&taken[lane], __popc(lane == 0 ? aboves : belows));
  const unsigned first = __shfl_sync(whole_warp, mine, 0), last = __shfl_sync(whole_warp, mine, 1);
  return above ? first + __popc(aboves & before) : count - 1 - last - __popc(belows & before);
}

// Where warps meet their slots in another order, elements change places within the tile; no result changes.
__global__ void __launch_bounds__(threads)
    compacted(const float* source, float* target, std::size_t n, unsigned steps) {
  __shared__ float value[tile];
  __shared__ std::uint16_t place[tile];
  __shared__ unsigned taken[2];
  const std::size_t begin = blockIdx.x * std::size_t{tile};
  const auto count = static_cast<unsigned>(min(std::size_t{tile}, n - begin));
  if (threadIdx.x < 2) taken[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned i = threadIdx.x; i < tile; i += threads) {
    const bool here = i < count;
    const float v = here ? source[begin + i] : 0;
    const unsigned slot = slot_of(here && v > 0, here && !(v > 0), count, taken);
    if (!here) continue;
    value[slot] = v;
    place[slot] = static_cast<std::uint16_t>(i);
  }
  __syncthreads();
  float result[elements];
#pragma unroll
  for (unsigned u = 0; u < elements; ++u)
    if (u * threads + threadIdx.x < count) result[u] = after_steps(value[u * threads + threadIdx.x], steps);
  __syncthreads();
#pragma unroll
  for (unsigned u = 0; u < elements; ++u)
    if (u * threads + threadIdx.x < count) value[place[u * threads + threadIdx.x]] = result[u];
  __syncthreads();
  for (unsigned i = threadIdx.x; i < count; i += threads) target[begin + i] = value[i];
}

// Without scratch it is only told how much there must be.
void partition(const workload& w, std::uint32_t* order, void* scratch, std::size_t& bytes, stream queue) {
  // Behind the order of the elements CUB writes how many are above zero.
  gpu::check(cub::DevicePartition::If(scratch, bytes, thrust::counting_iterator<std::uint32_t>(0), order,
                                      order + w.source.size(), as_integer(w.source.size()),
                                      above_zero{w.source.data()}, static_cast<cudaStream_t>(queue)),
             "cub::DevicePartition::If");
}

}  // namespace

void launch_diverging(const workload& w, stream queue) {
  const auto n = w.source.size();
  gpu::launch_each(diverging, n, threads, queue, w.source.data(), w.target.data(), n, w.steps);
}

void launch_compacted(const workload& w, stream queue) {
  const auto n = w.source.size();
  if (n == 0) return;
  gpu::launch(compacted, {gpu::blocks_for(n, tile), threads, 0, queue}, w.source.data(), w.target.data(), n,
              w.steps);
}

std::size_t sorting_bytes(const workload& w) {
  std::size_t bytes = 0;
  partition(w, nullptr, nullptr, bytes, {});
  return bytes;
}

void launch_sorted(const workload& w, std::span<std::uint32_t> order, std::span<std::byte> scratch,
                   stream queue) {
  const auto n = w.source.size();
  if (n == 0) return;
  auto bytes = scratch.size();
  partition(w, order.data(), scratch.data(), bytes, queue);
  gpu::launch_each(in_order, n, threads, queue, w.source.data(), w.target.data(), order.data(), n, w.steps);
}

}  // namespace ridge::experiments::ch08_warp_divergence
