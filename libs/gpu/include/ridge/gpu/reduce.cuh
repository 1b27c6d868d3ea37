// SPDX-License-Identifier: Apache-2.0
#pragma once

// Reductions and scans over the threads of a warp and of a block. The order of the operations depends on the
// block's size alone, so results of floating-point sums repeat.
namespace ridge::gpu {

inline constexpr unsigned warp_lanes = 32;
inline constexpr unsigned all_lanes = 0xFFFFFFFFU;

struct sum_of {
  static constexpr float neutral = 0;
  template <class T>
  __device__ T operator()(T a, T b) const {
    return a + b;
  }
};

struct most_of {
  static constexpr float neutral = -3.402823466e38F;
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};

// Reduces the values of each group of `Lanes` neighbouring lanes, a power of two; every lane gets the result
// of its group.
template <unsigned Lanes = warp_lanes, class T, class Op>
__device__ T over_warp(T x, Op op) {
#pragma unroll
  for (unsigned distance = Lanes / 2; distance > 0; distance /= 2)
    x = op(x, __shfl_xor_sync(all_lanes, x, distance));
  return x;
}

// Reduces the values of all threads of a block, whose size is a multiple of a warp; every thread gets the
// result.
template <class Op>
__device__ float over_block(float x, Op op) {
  __shared__ float of_warp[warp_lanes];
  const unsigned lane = threadIdx.x % warp_lanes, warps = blockDim.x / warp_lanes;
  x = over_warp(x, op);
  __syncthreads();  // the values of a call before have been read
  if (lane == 0) of_warp[threadIdx.x / warp_lanes] = x;
  __syncthreads();
  return over_warp(lane < warps ? of_warp[lane] : Op::neutral, op);
}

// The sum of this lane's value and those of all lanes before it.
template <class T>
__device__ T inclusive_sum_over_warp(T x) {
  const unsigned lane = threadIdx.x % warp_lanes;
#pragma unroll
  for (unsigned distance = 1; distance < warp_lanes; distance *= 2) {
    const T before = __shfl_up_sync(all_lanes, x, distance);
    if (lane >= distance) x += before;
  }
  return x;
}

// Returns whether this is the last block of the grid to come here; everything that the others wrote before is
// then visible. `finished` counts blocks: zero before the first launch, and again after each.
__device__ inline bool last_to_finish(unsigned* finished) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    __threadfence();
    last = atomicInc(finished, gridDim.x - 1) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  return last;
}

}  // namespace ridge::gpu
