// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <ridge/gpu/reduce.cuh>

// What the scans do with a warp's part of a tile: Rows rows of 128 terms, of which each lane holds four that
// follow one another.
namespace ridge::experiments::ch08_scan {

inline constexpr unsigned terms_of_row = 4 * gpu::warp_lanes;

__device__ inline void add_to(float4& v, float before) {
  v.x += before, v.y += before, v.z += before, v.w += before;
}

// Replaces the terms by their sums from the warp's first on; returns the last of them. Each row's scan over
// the lanes does not depend on another row's.
template <unsigned Rows>
__device__ float scan_rows(float4 (&v)[Rows]) {
  float before_row = 0;
#pragma unroll
  for (unsigned r = 0; r < Rows; ++r) {
    v[r].y += v[r].x, v[r].z += v[r].y, v[r].w += v[r].z;
    const float to_here = gpu::inclusive_sum_over_warp(v[r].w);
    const float before_lane = __shfl_up_sync(gpu::all_lanes, to_here, 1);
    add_to(v[r], threadIdx.x % gpu::warp_lanes == 0 ? before_row : before_row + before_lane);
    before_row += __shfl_sync(gpu::all_lanes, to_here, gpu::warp_lanes - 1);
  }
  return before_row;
}

// Whether both arrays begin at 16 bytes, as they must for the lanes' vectors.
__device__ __host__ inline bool in_vectors(const float* a, const float* b) {
  return (reinterpret_cast<std::size_t>(a) | reinterpret_cast<std::size_t>(b)) % sizeof(float4) == 0;
}

// Four terms from `first` on, zero beyond n.
__device__ inline float4 terms_at(const float* terms, std::size_t first, std::size_t n) {
  const auto term = [&](std::size_t i) { return i < n ? terms[i] : 0.0F; };
  return {term(first), term(first + 1), term(first + 2), term(first + 3)};
}

// Stores a lane's rows plus `before`; `first` is its first element's index.
template <unsigned Rows>
__device__ void store_rows(float4 (&v)[Rows], float before, float* sums, std::size_t first, std::size_t n,
                           bool vectors) {
#pragma unroll
  for (unsigned r = 0; r < Rows; ++r) {
    add_to(v[r], before);
    const std::size_t i = first + r * terms_of_row;
    if (vectors && i + 4 <= n) {
      __stcs(reinterpret_cast<float4*>(sums + i), v[r]);
    } else {
      const float values[4] = {v[r].x, v[r].y, v[r].z, v[r].w};
#pragma unroll
      for (unsigned e = 0; e < 4; ++e)
        if (i + e < n) sums[i + e] = values[e];
    }
  }
}

}  // namespace ridge::experiments::ch08_scan
