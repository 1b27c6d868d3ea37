// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <cuda_bf16.h>

#include <ridge/gpu/ptx/async_copy.cuh>
#include <ridge/gpu/ptx/matrix.cuh>

// The attention of 16 query rows to 16 tokens by one warp: keys and values lie in shared memory as rows of
// HeadDim bf16 numbers, their parts of 16 bytes exchanged so that ldmatrix meets no bank twice.
namespace ridge::backends::probe_cuda {

constexpr int tile_tokens = 16;

// Byte offset of a part of 16 bytes within a tile.
template <int HeadDim>
__device__ inline std::uint32_t tile_offset(int row, int part) {
  return static_cast<std::uint32_t>(row * HeadDim * 2 + ((part ^ (row & 7)) << 4));
}

__device__ inline std::uint32_t packed(float low, float high) {
  const __nv_bfloat162 pair = __floats2bfloat162_rn(low, high);
  return reinterpret_cast<const std::uint32_t&>(pair);
}

// The running softmax of 16 rows; a lane holds rows lane / 4 and lane / 4 + 8 (mma.m16n8k16's layout).
template <int HeadDim>
struct warp_attention {
  static constexpr int steps = HeadDim / 16;
  std::uint32_t query[steps][4];
  float output[2 * steps][4];
  float most[2] = {-1e30F, -1e30F}, sum[2] = {0, 0};  // of base-2 logarithms, and of the lane's columns
  float scale;                                        // of products of queries and keys

  // `rows` of the queries at `q`, whose rows are `pitch` numbers apart; the others are zero.
  __device__ void begin(const __nv_bfloat16* q, int rows, std::int64_t pitch, float scale_log2) {
    const int lane = threadIdx.x % 32, row = lane / 4, column = lane % 4 * 2;
    const auto pair = [&](int r, int c) {
      return r < rows ? *reinterpret_cast<const std::uint32_t*>(q + r * pitch + c) : 0U;
    };
    for (int s = 0; s < steps; ++s) {
      query[s][0] = pair(row, 16 * s + column), query[s][1] = pair(row + 8, 16 * s + column);
      query[s][2] = pair(row, 16 * s + column + 8), query[s][3] = pair(row + 8, 16 * s + column + 8);
    }
    for (auto& part : output)
      for (auto& x : part) x = 0;
    scale = scale_log2;
  }

  // Products of the queries with the keys of a tile: columns 2 (lane % 4) and the next one of each half.
  __device__ void scores(std::uint32_t keys, float (&s)[2][4]) const {
    const int lane = threadIdx.x % 32, matrix = lane / 8, row = lane % 8 + (matrix / 2) * 8;
    for (auto& half : s)
      for (auto& x : half) x = 0;
#pragma unroll
    for (int step = 0; step < steps; ++step) {
      std::uint32_t b[2][2];
      gpu::ptx::ldmatrix_x4(keys + tile_offset<HeadDim>(row, 2 * step + matrix % 2), b[0][0], b[0][1],
                            b[1][0], b[1][1]);
      gpu::ptx::mma_m16n8k16_f32_bf16(s[0], query[step], b[0]);
      gpu::ptx::mma_m16n8k16_f32_bf16(s[1], query[step], b[1]);
    }
  }

  // Takes the scores of a tile in: their softmax, and its product with the values.
  __device__ void add(float (&s)[2][4], std::uint32_t values) {
    std::uint32_t p[4];
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      float top = fmaxf(fmaxf(s[0][2 * r], s[0][2 * r + 1]), fmaxf(s[1][2 * r], s[1][2 * r + 1])) * scale;
      top = fmaxf(top, __shfl_xor_sync(0xFFFFFFFF, top, 1));
      top = fmaxf(top, __shfl_xor_sync(0xFFFFFFFF, top, 2));
      if (top > most[r]) shrink(r, top);
      float e[2][2];
      for (int half = 0; half < 2; ++half)
        for (int c = 0; c < 2; ++c) e[half][c] = exp2f(fmaf(s[half][2 * r + c], scale, -most[r]));
      sum[r] += e[0][0] + e[0][1] + e[1][0] + e[1][1];
      p[r] = packed(e[0][0], e[0][1]), p[r + 2] = packed(e[1][0], e[1][1]);
    }
    __syncwarp();
    const int lane = threadIdx.x % 32, matrix = lane / 8, row = lane % 8 + (matrix % 2) * 8;
#pragma unroll
    for (int step = 0; step < steps; ++step) {
      std::uint32_t b[2][2];
      gpu::ptx::ldmatrix_x4_transposed(values + tile_offset<HeadDim>(row, 2 * step + matrix / 2), b[0][0],
                                       b[0][1], b[1][0], b[1][1]);
      gpu::ptx::mma_m16n8k16_f32_bf16(output[2 * step], p, b[0]);
      gpu::ptx::mma_m16n8k16_f32_bf16(output[2 * step + 1], p, b[1]);
    }
  }

  // The sums of all columns, which each lane holds of its own so far.
  __device__ void gather_sums() {
    for (auto& x : sum) {
      x += __shfl_xor_sync(0xFFFFFFFF, x, 1);
      x += __shfl_xor_sync(0xFFFFFFFF, x, 2);
    }
  }

 private:
  __device__ void shrink(int r, float top) {
    const float by = exp2f(most[r] - top);
    most[r] = top, sum[r] *= by;
#pragma unroll
    for (auto& part : output) part[2 * r] *= by, part[2 * r + 1] *= by;
  }
};

}  // namespace ridge::backends::probe_cuda
