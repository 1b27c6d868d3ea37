// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/gpu/ptx/approximate.cuh>

#include "model.cuh"

// Attention of the four queries of a key's head, by 16 warps: sixteen lanes take a key, a warp two at a time.
// Each half of a warp has a softmax of its own, and they are joined at the end.
namespace ridge::experiments::ch10_megakernel_decode {

inline constexpr unsigned attention_warps = 16, lanes_of_key = 16, lane_numbers = 4;
inline constexpr unsigned keys_at_once = attention_warps * gpu::warp_lanes / lanes_of_key;
inline constexpr float far_below = -1e30F;
// To the base 2: log2(e) / sqrt(head_width).
inline constexpr float score_scale = 1.44269504F / 8;

// What the warps of a block have summed up, to be joined.
struct alignas(16) warp_sums {
  float o[attention_warps][head_group][head_width];
  float2 statistics[attention_warps][head_group];  // largest score and sum of weights
};

// a + the other half's b for one half of the lanes that differ in bit `distance`, b + the other's a for the
// other: sums of two numbers over two lanes, one in each.
__device__ inline float exchange(bool second, float a, float b, unsigned distance) {
  return (second ? b : a) + __shfl_xor_sync(gpu::all_lanes, second ? a : b, distance);
}

struct attention_state {
  float q[head_group][lane_numbers];  // this lane's numbers of each query, scaled
  float most[head_group], sum[head_group], o[head_group][lane_numbers];

  __device__ void clear() {
#pragma unroll
    for (unsigned h = 0; h < head_group; ++h) {
      most[h] = far_below, sum[h] = 0;
#pragma unroll
      for (float& x : o[h]) x = 0;
    }
  }

  __device__ void set_query(unsigned h, float4 numbers) {
    q[h][0] = numbers.x * score_scale, q[h][1] = numbers.y * score_scale;
    q[h][2] = numbers.z * score_scale, q[h][3] = numbers.w * score_scale;
  }

  // Takes a key and its value; all lanes of a warp call it. A key that is not `valid` counts as none.
  __device__ void take(uint2 key, uint2 value, bool valid) {
    if (!valid) value = {};
    const float v[lane_numbers]{gpu::low_bf16(value.x), gpu::high_bf16(value.x), gpu::low_bf16(value.y),
                                gpu::high_bf16(value.y)};
#pragma unroll
    for (unsigned h = 0; h < head_group; ++h) {
      float score = 0;
      add_products(score, key.x, q[h][0], q[h][1]), add_products(score, key.y, q[h][2], q[h][3]);
      score = gpu::over_warp<lanes_of_key>(score, gpu::sum_of());
      const float larger = valid ? fmaxf(most[h], score) : most[h];
      const float keep = gpu::ptx::ex2_approx_ftz(most[h] - larger);
      const float weight = valid ? gpu::ptx::ex2_approx_ftz(score - larger) : 0;
      most[h] = larger;
      sum[h] = fmaf(sum[h], keep, weight);
#pragma unroll
      for (unsigned e = 0; e < lane_numbers; ++e) o[h][e] = fmaf(o[h][e], keep, weight * v[e]);
    }
  }

  // Joins the warp's halves, each of which ends with two of the queries, and leaves the sums to others.
  __device__ void leave(warp_sums& sums, unsigned warp, unsigned lane) {
#pragma unroll
    for (unsigned h = 0; h < head_group; ++h) {
      const float all = fmaxf(most[h], __shfl_xor_sync(gpu::all_lanes, most[h], lanes_of_key));
      const float keep = gpu::ptx::ex2_approx_ftz(most[h] - all);
      most[h] = all, sum[h] *= keep;
#pragma unroll
      for (float& x : o[h]) x *= keep;
    }
    const bool second = lane >= lanes_of_key;
#pragma unroll
    for (unsigned i = 0; i < head_group / 2; ++i) {
      const unsigned h = second ? i + 2 : i;
      const auto half_of = [&](unsigned e) { return exchange(second, o[i][e], o[i + 2][e], lanes_of_key); };
      const float4 four{half_of(0), half_of(1), half_of(2), half_of(3)};
      const float weights = exchange(second, sum[i], sum[i + 2], lanes_of_key);
      *reinterpret_cast<float4*>(&sums.o[warp][h][lane % lanes_of_key * lane_numbers]) = four;
      if (lane % lanes_of_key == 0) sums.statistics[warp][h] = {second ? most[i + 2] : most[i], weights};
    }
  }
};

// The sums of all warps for number `e` of query `h`: of values, and in `statistics` what they are relative to
// and the sum of weights.
__device__ inline float join_warps(const warp_sums& sums, unsigned h, unsigned e, float2& statistics) {
  float most = far_below, o = 0, weights = 0;
#pragma unroll
  for (unsigned w = 0; w < attention_warps; ++w) most = fmaxf(most, sums.statistics[w][h].x);
#pragma unroll
  for (unsigned w = 0; w < attention_warps; ++w) {
    const float keep = gpu::ptx::ex2_approx_ftz(sums.statistics[w][h].x - most);
    weights = fmaf(keep, sums.statistics[w][h].y, weights), o = fmaf(keep, sums.o[w][h][e], o);
  }
  statistics = {most, weights};
  return o;
}

}  // namespace ridge::experiments::ch10_megakernel_decode
