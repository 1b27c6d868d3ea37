// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ridge::experiments::ch01_roofline_placement {

constexpr int warp_lanes = 32;

struct sum_of {
  static constexpr float neutral = 0;
  __device__ float operator()(float a, float b) const { return a + b; }
};

struct most_of {
  static constexpr float neutral = -3.402823466e38F;
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};

// Reduces the values of all lanes; every lane gets the result.
template <class Op>
__device__ float over_warp(float x, Op op) {
#pragma unroll
  for (int distance = warp_lanes / 2; distance > 0; distance /= 2)
    x = op(x, __shfl_xor_sync(0xFFFFFFFFU, x, distance));
  return x;
}

// Reduces the values of all threads of a block, whose size is a multiple of a warp; every thread gets the
// result. The order depends on the block's size alone.
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

}  // namespace ridge::experiments::ch01_roofline_placement
