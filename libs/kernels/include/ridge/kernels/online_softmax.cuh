// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>

#include <cuda_bf16.h>

#include <ridge/gpu/ptx/approximate.cuh>

// Softmax of rows whose scores come block by block, in the registers in which a warp's matrix instructions
// (mma.sync, wgmma) leave them: 16 rows a warp; number i of a thread is in row lane / 4 + 8 * (i / 2 % 2) and
// in column 8 * (i / 4) + 2 * (lane % 4) + i % 2. Milakov and Gimelshein, "Online normalizer calculation for
// softmax" (2018).
namespace ridge::kernels {

// Two numbers rounded to bf16, `low` in the lower half of the word.
__device__ inline std::uint32_t bf16_pair(float low, float high) {
  const auto pair = __floats2bfloat162_rn(low, high);
  std::uint32_t word;
  std::memcpy(&word, &pair, sizeof word);
  return word;
}

// Which of a thread's two rows number i is in.
__device__ constexpr unsigned row_of(unsigned i) { return i / 2 % 2; }

// What a thread knows of its two rows: the level that weights are relative to, and its part of their sum.
// Weights are 2^(score * scale - level * scale). The level follows the largest score only when a weight would
// exceed 2^8: what is summed already is then rarely scaled, and the result is the same but for rounding.
class online_softmax {
 public:
  // `scale` is what scores are multiplied by, times log2(e); positive.
  __device__ explicit online_softmax(float scale) : scale_(scale) {}

  // Replaces a block of scores by weights. Scores of -infinity weigh nothing.
  template <unsigned Count>
  __device__ void take(float (&scores)[Count]) {
    float most[2] = {level_[0], level_[1]};
#pragma unroll
    for (unsigned i = 0; i < Count; ++i) most[row_of(i)] = fmaxf(most[row_of(i)], scores[i]);
    moved_ = false;
#pragma unroll
    for (unsigned row = 0; row < 2; ++row) move_level(row, over_row(most[row]));
    const float offset[2] = {level_[0] * scale_, level_[1] * scale_};
    float sum[2] = {0, 0};
#pragma unroll
    for (unsigned i = 0; i < Count; ++i) {
      scores[i] = gpu::ptx::ex2_approx_ftz(fmaf(scores[i], scale_, -offset[row_of(i)]));
      sum[row_of(i)] += scores[i];
    }
    sum_[0] += sum[0], sum_[1] += sum[1];
  }

  // Scales what was summed with the weights of blocks before the last one to the present level.
  template <unsigned Count>
  __device__ void rescale(float (&sums)[Count]) const {
    if (!__any_sync(0xFFFFFFFFU, moved_)) return;
#pragma unroll
    for (unsigned i = 0; i < Count; ++i) sums[i] *= kept_[row_of(i)];
  }

  // The reciprocal of a row's sum of weights, in all four lanes that share the row.
  __device__ float reciprocal(unsigned row) const {
    float sum = sum_[row];
    sum += __shfl_xor_sync(0xFFFFFFFFU, sum, 1);
    return 1 / (sum + __shfl_xor_sync(0xFFFFFFFFU, sum, 2));
  }

 private:
  static constexpr float most_log2 = 8;

  __device__ static float over_row(float x) {
    x = fmaxf(x, __shfl_xor_sync(0xFFFFFFFFU, x, 1));
    return fmaxf(x, __shfl_xor_sync(0xFFFFFFFFU, x, 2));
  }

  __device__ void move_level(unsigned row, float most) {
    if ((most - level_[row]) * scale_ <= most_log2) {
      most = level_[row];
    } else {
      moved_ = true;
    }
    kept_[row] = gpu::ptx::ex2_approx_ftz((level_[row] - most) * scale_);
    level_[row] = most;
    sum_[row] *= kept_[row];
  }

  float scale_;
  float level_[2] = {-1e30F, -1e30F};  // below any score, and finite: no difference is a NaN
  float sum_[2] = {0, 0};
  float kept_[2] = {1, 1};
  bool moved_ = false;
};

// Hides the scores of columns that a thread's rows do not see: from `columns` on and, of a causal row, those
// after itself. The block's scores begin in column `first_column`, the warp's rows with row `first_row`.
template <bool Causal, unsigned Count>
__device__ void hide_unseen(float (&scores)[Count], int first_column, int first_row, int columns) {
  const int lane = static_cast<int>(threadIdx.x % 32);
#pragma unroll
  for (unsigned i = 0; i < Count; ++i) {
    const int column = first_column + lane % 4 * 2 + static_cast<int>(i / 4 * 8 + i % 2);
    const int row = first_row + lane / 4 + static_cast<int>(row_of(i) * 8);
    if (column >= columns || (Causal && column > row)) scores[i] = -INFINITY;
  }
}

// The weights of a block, rounded to bf16, as the left operand of one product for each 16 columns.
template <unsigned Count>
__device__ void to_operand(const float (&weights)[Count], std::uint32_t (&operand)[Count / 8][4]) {
#pragma unroll
  for (unsigned k = 0; k < Count / 8; ++k) {
#pragma unroll
    for (unsigned pair = 0; pair < 4; ++pair) {
      const unsigned i = 8 * k + 2 * pair;
      operand[k][pair] = bf16_pair(weights[i], weights[i + 1]);
    }
  }
}

}  // namespace ridge::kernels
