// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "scaled_block.cuh"

// The product for few rows of activations, tokens: weights are the rows of the matrix instructions, which
// come in 64 at least, and tokens the columns. The steps of all tiles are cut into equal runs, so that all
// multiprocessors read weights. Blocks that share a tile leave their sums, and the last adds them in the
// order of the terms.
namespace ridge::experiments::ch09_fp8_blockscaled_gemm {

template <unsigned Stages>
struct split_tile {
  static constexpr unsigned stages = Stages, weights = 64 * consumers, tokens = 64;
  static constexpr unsigned weight_bytes = weights * row_bytes,
                            stage_bytes = weight_bytes + tokens * row_bytes;
  static constexpr unsigned shared_bytes = Stages * stage_bytes + 2 * 8 * Stages + ring_alignment;
  static constexpr unsigned floats_a_slot = weights * tokens;  // of sums that are left
  static_assert(shared_bytes <= most_shared_bytes, "shared memory of a block");
};

struct left_sums {
  float4* sums;             // two slots a block: of a tile that it ends, and of one that it begins
  std::uint32_t* finished;  // of each tile: blocks that have left their sums; zero between launches
};

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

template <class Tile>
__device__ void produce(const CUtensorMap& tokens, const CUtensorMap& weights,
                        const kernels::equal_runs& schedule, const ring& memory) {
  kernels::ring_place<Tile> at;
  kernels::tile_share share;
  for (unsigned i = 0; schedule.share(blockIdx.x, gridDim.x, i, share); ++i) {
    const auto place = schedule.order.place(share.tile);
    for (unsigned step = share.first; step < share.end; ++step, at.advance()) {
      const auto barrier = memory.full + 8 * at.stage, stage = memory.base + at.stage * Tile::stage_bytes;
      const int x = static_cast<int>(step * row_bytes);
      gpu::ptx::mbarrier_wait_parity(memory.empty + 8 * at.stage, at.parity ^ 1U);
      gpu::ptx::mbarrier_arrive_expect_tx(barrier, Tile::stage_bytes);
      gpu::ptx::cp_async_bulk_tensor_2d_shared_global(stage, &weights, x,
                                                      static_cast<int>(place.row * Tile::weights), barrier);
      gpu::ptx::cp_async_bulk_tensor_2d_shared_global(stage + Tile::weight_bytes, &tokens, x,
                                                      static_cast<int>(place.column * Tile::tokens), barrier);
    }
  }
}

// The block whose run holds a step, counted over all tiles.
__device__ inline unsigned owner_of(unsigned step, unsigned all_steps) {
  return static_cast<unsigned>(((step + 1ULL) * gridDim.x - 1) / all_steps);
}

// Leaves a consumer's sums of a part of a tile. Returns whether all parts are there, whose sums are then in
// `total`, added in the order of the terms.
template <class Tile>
__device__ bool gather(const left_sums& left, const kernels::equal_runs& schedule,
                       const kernels::tile_share& share, float (&total)[32]) {
  constexpr unsigned lanes = 128 * consumers;
  const unsigned lane = threadIdx.x - 128, begin = share.tile * schedule.steps,
                 all = schedule.split * schedule.steps;
  const unsigned first = owner_of(begin, all), last = owner_of(begin + schedule.steps - 1, all);
  const auto slot = [&](unsigned block) {
    return left.sums + std::size_t{2 * block + (block == first ? 1 : 0)} * (8 * lanes) + lane;
  };
  float4* const own = slot(blockIdx.x);
#pragma unroll
  for (unsigned i = 0; i < 8; ++i)
    __stcg(own + i * lanes, make_float4(total[4 * i], total[4 * i + 1], total[4 * i + 2], total[4 * i + 3]));
  __shared__ bool all_there;
  __threadfence();
  gpu::ptx::bar_sync(1, lanes);
  if (lane == 0) {
    all_there = atomicInc(left.finished + share.tile, last - first) == last - first;
    __threadfence();
  }
  gpu::ptx::bar_sync(1, lanes);
  if (!all_there) return false;
#pragma unroll
  for (unsigned j = 0; j < 32; ++j) total[j] = 0;
  for (unsigned block = first; block <= last; ++block) {
    const float4* const source = slot(block);
#pragma unroll
    for (unsigned i = 0; i < 8; ++i) {
      const float4 more = __ldcg(source + i * lanes);
      total[4 * i] += more.x, total[4 * i + 1] += more.y;
      total[4 * i + 2] += more.z, total[4 * i + 3] += more.w;
    }
  }
  return true;
}

// Stores a warp's sums of 16 weights' rows, columns of c, and 64 tokens.
__device__ inline void store_columns(const target_matrix& target, unsigned first_token, unsigned first_column,
                                     const float (&sums)[32]) {
  const unsigned lane = threadIdx.x % 32;
#pragma unroll
  for (unsigned j = 0; j < 32; ++j) {
    const unsigned token = first_token + j / 4 * 8 + lane % 4 * 2 + j % 2,
                   column = first_column + lane / 4 + j / 2 % 2 * 8;
    if (token < target.rows && column < target.columns)
      target.c[std::size_t{token} * target.columns + column] = __float2bfloat16_rn(sums[j]);
  }
}

template <class Tile>
__device__ void consume(const scale_lines& scales, const target_matrix& target,
                        const kernels::equal_runs& schedule, const left_sums& left, const ring& memory,
                        unsigned consumer) {
  kernels::ring_place<Tile> at;
  kernels::tile_share share;
  for (unsigned i = 0; schedule.share(blockIdx.x, gridDim.x, i, share); ++i) {
    const auto place = schedule.order.place(share.tile);
    const float* const b_line = scales.b + std::size_t{place.row} * scales.b_blocks;
    const unsigned first_token = place.column * Tile::tokens, token = first_token + threadIdx.x % 4 * 2;
    const auto read = [&](unsigned step, float(&factor)[16], float& of_rows) {
      const float* const a_line = scales.a + std::size_t{step} * scales.rows;
      of_rows = __ldg(b_line + step);
#pragma unroll
      for (unsigned j = 0; j < 16; ++j) {
        const unsigned wanted = token + j / 2 * 8 + j % 2;
        factor[j] = __ldg(a_line + (wanted < scales.rows ? wanted : scales.rows - 1));
      }
    };
    float total[32] = {}, next[16], next_of_rows;
    read(share.first, next, next_of_rows);
    for (unsigned step = share.first; step < share.end; ++step, at.advance()) {
      float factor[16];
#pragma unroll
      for (unsigned j = 0; j < 16; ++j) factor[j] = next[j] * next_of_rows;
      read(step + 1 < share.end ? step + 1 : step, next, next_of_rows);
      const auto stage = memory.base + at.stage * Tile::stage_bytes;
      gpu::ptx::mbarrier_wait_parity(memory.full + 8 * at.stage, at.parity);
      float sums[32];
      multiply_block(stage + consumer * 64 * row_bytes, stage + Tile::weight_bytes, sums);
      if (threadIdx.x % 128 == 0) gpu::ptx::mbarrier_arrive(memory.empty + 8 * at.stage);
#pragma unroll
      for (unsigned j = 0; j < 32; ++j) total[j] = fmaf(sums[j], factor[j / 4 * 2 + j % 2], total[j]);
    }
    const bool whole = share.first == 0 && share.end == schedule.steps;
    if (whole || gather<Tile>(left, schedule, share, total))
      store_columns(target, first_token,
                    place.row * Tile::weights + consumer * 64 + threadIdx.x / 32 % 4 * 16, total);
  }
}

#endif

template <class Tile>
__global__ void __launch_bounds__(threads, 1)
    split_product([[maybe_unused]] const __grid_constant__ CUtensorMap tokens,
                  [[maybe_unused]] const __grid_constant__ CUtensorMap weights,
                  [[maybe_unused]] const scale_lines scales, [[maybe_unused]] const target_matrix target,
                  [[maybe_unused]] const kernels::equal_runs schedule,
                  [[maybe_unused]] const left_sums left) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ std::byte dynamic[];
  const ring memory = make_ring<Tile>(dynamic, 1);
  __syncthreads();
  const unsigned warpgroup = __shfl_sync(~0U, threadIdx.x / 128, 0);
  if (warpgroup == 0) {
    if (threadIdx.x == 0) produce<Tile>(tokens, weights, schedule, memory);
  } else {
    consume<Tile>(scales, target, schedule, left, memory, warpgroup - 1);
  }
#endif
}

}  // namespace ridge::experiments::ch09_fp8_blockscaled_gemm
