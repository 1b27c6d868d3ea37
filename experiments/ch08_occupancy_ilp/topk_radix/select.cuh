// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <ridge/gpu/ordered_bits.hpp>
#include <ridge/gpu/reduce.cuh>

// Parts of a selection by one block of `threads` threads. Values are compared as gpu::ordered_bits of them.
namespace ridge::experiments::ch08_topk_radix {

inline constexpr unsigned threads = 1024, warps = threads / gpu::warp_lanes;
inline constexpr unsigned digit = 11;  // bits
inline constexpr unsigned bins = 1U << digit;
inline constexpr unsigned most_candidates = 4096;  // that are sorted

__device__ inline std::uint32_t ordered(float value) { return gpu::ordered_bits(__float_as_uint(value)); }
__device__ inline float value_of(std::uint32_t ordered) { return __uint_as_float(gpu::float_bits(ordered)); }

// The sum of `count` of all threads before this one; `total` is that of all.
__device__ inline unsigned before_thread(unsigned count, unsigned& total) {
  __shared__ unsigned of_warps[warps];
  const unsigned lane = threadIdx.x % gpu::warp_lanes;
  const unsigned to_here = gpu::inclusive_sum_over_warp(count);
  __syncthreads();  // the sums of a call before have been read
  if (lane == gpu::warp_lanes - 1) of_warps[threadIdx.x / gpu::warp_lanes] = to_here;
  __syncthreads();
  const unsigned warps_to_lane = gpu::inclusive_sum_over_warp(of_warps[lane]);
  total = __shfl_sync(gpu::all_lanes, warps_to_lane, warps - 1);
  const unsigned warp = threadIdx.x / gpu::warp_lanes;
  const unsigned before_warp = __shfl_sync(gpu::all_lanes, warps_to_lane, warp == 0 ? 0 : warp - 1);
  return to_here - count + (warp == 0 ? 0 : before_warp);
}

// The bin that holds the rank-th largest of what a histogram counts, how many lie in higher bins, and in it.
struct bin_of_rank {
  unsigned bin, above, inside;
};

__device__ inline bin_of_rank find_bin(const std::uint32_t (&histogram)[bins], unsigned rank) {
  static_assert(bins == 2 * threads);
  __shared__ bin_of_rank found;
  const unsigned upper =
      bins - 1 - 2 * threadIdx.x;  // this thread's bins in descending order: upper, upper - 1
  const unsigned first = histogram[upper], second = histogram[upper - 1];
  unsigned total;
  const unsigned above = before_thread(first + second, total);
  if (above < rank && rank <= above + first) found = {upper, above, first};
  if (above + first < rank && rank <= above + first + second) found = {upper - 1, above + first, second};
  __syncthreads();
  return found;
}

__device__ inline void clear(std::uint32_t (&histogram)[bins]) {
  for (unsigned i = threadIdx.x; i < bins; i += threads) histogram[i] = 0;
  __syncthreads();
}

__device__ inline void order(std::uint32_t& a, std::uint32_t& b, bool descending) {
  if ((a < b) == descending) {
    const auto other = a;
    a = b, b = other;
  }
}

// Sorts `count` candidates in descending order (K. Batcher's bitonic sort, 1968); the array has room for the
// next power of two, 2048 at least. Thread t holds the elements 2 t and 2 t + 1 of each 2048: of the steps
// between elements that lie less than 64 apart none leaves the warp.
__device__ inline void sort_descending(std::uint32_t* candidates, unsigned count) {
  unsigned size = 2 * threads;
  while (size < count) size *= 2;
  for (unsigned i = count + threadIdx.x; i < size; i += threads) candidates[i] = 0;
  __syncthreads();
  for (unsigned sorted = 2; sorted <= size; sorted *= 2) {
    unsigned distance = sorted / 2;
    for (; distance >= 2 * gpu::warp_lanes; distance /= 2) {
      for (unsigned pair = threadIdx.x; pair < size / 2; pair += threads) {
        const unsigned i = 2 * pair - pair % distance;
        order(candidates[i], candidates[i + distance], (i & sorted) == 0);
      }
      __syncthreads();
    }
    for (unsigned i = 2 * threadIdx.x; i < size; i += 2 * threads) {
      std::uint32_t low = candidates[i], high = candidates[i + 1];
      const bool descending = (i & sorted) == 0;
      for (unsigned d = distance; d > 1; d /= 2) {
        const bool first = (i & d) == 0;  // of the pair of elements that are compared
        const auto other_low = __shfl_xor_sync(gpu::all_lanes, low, d / 2);
        const auto other_high = __shfl_xor_sync(gpu::all_lanes, high, d / 2);
        low = first == descending ? max(low, other_low) : min(low, other_low);
        high = first == descending ? max(high, other_high) : min(high, other_high);
      }
      order(low, high, descending);
      candidates[i] = low, candidates[i + 1] = high;
    }
    __syncthreads();
  }
}

}  // namespace ridge::experiments::ch08_topk_radix
