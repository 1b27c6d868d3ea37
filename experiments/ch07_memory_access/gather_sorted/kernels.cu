// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>

#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/reduce.cuh>

#include "gather_sorted.hpp"

namespace ridge::experiments::ch07_gather_sorted {
namespace {

constexpr unsigned threads = 256;
using gpu::warp_lanes;
constexpr unsigned warps = threads / warp_lanes;
constexpr unsigned sorting_threads = 1024;
constexpr unsigned loads = 4;  // of the table under way in a lane
static_assert(buckets % warp_lanes == 0 && tile <= 65536, "places are 16 bits");

__device__ std::size_t thread_of_grid() { return blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; }

__global__ void __launch_bounds__(threads)
    gather_direct(const float* table, const std::uint32_t* index, float* target, std::size_t n) {
  const std::size_t i = thread_of_grid();
  if (i < n) target[i] = __ldg(table + index[i]);
}

// The first warp turns the counts of all buckets into the slots where they begin.
__device__ void sum_up(const unsigned* counts, unsigned* begins) {
  if (threadIdx.x >= warp_lanes) return;
  unsigned before = 0;
  for (unsigned b = threadIdx.x; b < buckets + warp_lanes; b += warp_lanes) {
    const unsigned sum = gpu::inclusive_sum_over_warp(counts[b]);
    begins[b] = before + sum - counts[b];
    before += __shfl_sync(gpu::all_lanes, sum, warp_lanes - 1);
  }
}

// Copies a tile's elements out of shared memory, 16 bytes at once.
template <class T>
__device__ void copy_tile(T* target, const T* shared) {
  static_assert(tile * sizeof(T) % (sorting_threads * sizeof(uint4)) == 0);
#pragma unroll
  for (unsigned k = 0; k < tile * sizeof(T) / sizeof(uint4); k += sorting_threads)
    reinterpret_cast<uint4*>(target)[k + threadIdx.x] =
        reinterpret_cast<const uint4*>(shared)[k + threadIdx.x];
}

// Sorts the indices of a tile by bucket. Which of two indices of a bucket comes first is left to chance; the
// gather's result does not depend on it.
__global__ void __launch_bounds__(sorting_threads, 2)
    sort_tile(const std::uint32_t* index, std::size_t n, unsigned shift, std::uint32_t* keys,
              std::uint16_t* places, std::uint16_t* runs) {
  extern __shared__ __align__(16) std::uint32_t sorted_keys[];
  auto* sorted_places = reinterpret_cast<std::uint16_t*>(sorted_keys + tile);
  // One more bucket takes what lies beyond the indices of the last tile.
  __shared__ unsigned counts[buckets + warp_lanes], begins[buckets + warp_lanes];
  if (threadIdx.x < buckets + warp_lanes) counts[threadIdx.x] = 0;
  __syncthreads();
  const std::size_t first = blockIdx.x * tile;
  // The indices are read twice, the second time from a cache, rather than kept in registers.
  const auto key_at = [&](unsigned place) {
    return first + place < n ? __ldg(index + first + place) : std::uint32_t{0};
  };
  const auto bucket_of = [&](std::uint32_t key, unsigned place) {
    return first + place < n ? key >> shift : unsigned{buckets};
  };
#pragma unroll 8
  for (unsigned place = threadIdx.x; place < tile; place += sorting_threads)
    atomicAdd(counts + bucket_of(key_at(place), place), 1U);
  __syncthreads();
  sum_up(counts, begins);
  __syncthreads();
  if (threadIdx.x < buckets)
    runs[threadIdx.x * std::size_t{gridDim.x} + blockIdx.x] = static_cast<std::uint16_t>(begins[threadIdx.x]);
  __syncthreads();
#pragma unroll 8
  for (unsigned place = threadIdx.x; place < tile; place += sorting_threads) {
    const std::uint32_t key = key_at(place);
    const unsigned slot = atomicAdd(begins + bucket_of(key, place), 1U);
    sorted_keys[slot] = key;
    sorted_places[slot] = static_cast<std::uint16_t>(place);
  }
  __syncthreads();
  copy_tile(keys + first, sorted_keys);
  copy_tile(places + first, sorted_places);
}

// Replaces keys by the table's values, a warp a bucket of a tile. All tiles' parts of a bucket come before
// the next bucket's, so that the second-level cache holds the part of the table that is being read.
__global__ void __launch_bounds__(threads)
    fetch_bucket(const float* table, std::size_t n, std::uint32_t* keys, const std::uint16_t* runs,
                 unsigned tiles) {
  const unsigned in_tile = blockIdx.x * warps + threadIdx.x / warp_lanes, bucket = blockIdx.y;
  if (in_tile >= tiles) return;
  const std::size_t run = bucket * std::size_t{tiles} + in_tile, first = in_tile * tile;
  const unsigned held = n - first < tile ? static_cast<unsigned>(n - first) : tile;
  const unsigned end = bucket + 1 < buckets ? runs[run + tiles] : held;
  keys += first;
  for (unsigned i = runs[run] + threadIdx.x % warp_lanes; i < end; i += loads * warp_lanes) {
    std::uint32_t key[loads];
    float value[loads];
#pragma unroll
    for (unsigned u = 0; u < loads; ++u)
      if (i + u * warp_lanes < end) key[u] = keys[i + u * warp_lanes];
#pragma unroll
    for (unsigned u = 0; u < loads; ++u)
      if (i + u * warp_lanes < end) value[u] = __ldg(table + key[u]);
#pragma unroll
    for (unsigned u = 0; u < loads; ++u)
      if (i + u * warp_lanes < end) keys[i + u * warp_lanes] = __float_as_uint(value[u]);
  }
}

// Puts the values of a tile where their indices stood.
__global__ void __launch_bounds__(sorting_threads, 2)
    restore_tile(const std::uint32_t* values, const std::uint16_t* places, float* target, std::size_t n) {
  extern __shared__ float restored[];
  const std::size_t first = blockIdx.x * tile;
  const unsigned held = n - first < tile ? static_cast<unsigned>(n - first) : tile;
  const auto* eight_places = reinterpret_cast<const uint4*>(places + first);
  const auto* four_values = reinterpret_cast<const float4*>(values + first);
#pragma unroll
  for (unsigned k = 0; k < tile / 8; k += sorting_threads) {
    const uint4 p = __ldcs(eight_places + k + threadIdx.x);
    const float4 v = __ldcs(four_values + 2 * (k + threadIdx.x));
    const float4 w = __ldcs(four_values + 2 * (k + threadIdx.x) + 1);
    restored[p.x & 0xFFFFU] = v.x, restored[p.x >> 16] = v.y;
    restored[p.y & 0xFFFFU] = v.z, restored[p.y >> 16] = v.w;
    restored[p.z & 0xFFFFU] = w.x, restored[p.z >> 16] = w.y;
    restored[p.w & 0xFFFFU] = w.z, restored[p.w >> 16] = w.w;
  }
  __syncthreads();
#pragma unroll
  for (unsigned k = 0; k < tile; k += sorting_threads) {
    const float value = restored[k + threadIdx.x];
    if (k + threadIdx.x < held) __stcs(target + first + k + threadIdx.x, value);
  }
}

}  // namespace

void launch_direct(const workload& w, stream queue) {
  const auto n = w.index.size();
  gpu::launch_each(gather_direct, n, threads, queue, w.table.data(), w.index.data(), w.target.data(), n);
}

void launch_bucketed(const workload& w, const sorted_tiles& s, stream queue) {
  const auto n = w.index.size();
  if (n == 0) return;
  const unsigned tiles = as_unsigned(tiles_of(n)), shift = bucket_shift(w.table.size());
  constexpr std::size_t sort_shared = tile * (sizeof(std::uint32_t) + sizeof(std::uint16_t));
  constexpr std::size_t restore_shared = tile * sizeof(float);
  gpu::allow_dynamic_shared_memory(sort_tile, sort_shared);
  gpu::allow_dynamic_shared_memory(restore_tile, restore_shared);
  gpu::launch(sort_tile, {tiles, sorting_threads, sort_shared, queue}, w.index.data(), n, shift,
              s.keys.data(), s.places.data(), s.runs.data());
  gpu::launch(fetch_bucket, {dim3(gpu::blocks_for(tiles, warps), buckets), threads, 0, queue}, w.table.data(),
              n, s.keys.data(), s.runs.data(), tiles);
  gpu::launch(restore_tile, {tiles, sorting_threads, restore_shared, queue}, s.keys.data(), s.places.data(),
              w.target.data(), n);
}

}  // namespace ridge::experiments::ch07_gather_sorted
