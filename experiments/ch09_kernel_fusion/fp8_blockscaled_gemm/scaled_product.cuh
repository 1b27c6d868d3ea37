// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "scaled_block.cuh"

// The product for many rows of activations: while one warpgroup scales its sums, the other multiplies.
namespace ridge::experiments::ch09_fp8_blockscaled_gemm {

// Two warpgroups make Blocks x 64 rows each, and 128 columns, which one scale of weights covers. `Across`
// blocks of a cluster make tiles beside one another and share each copy of the activations.
template <unsigned Blocks, unsigned Stages, unsigned Across>
struct scaled_tile {
  static constexpr unsigned blocks = Blocks, stages = Stages, across = Across;
  static constexpr unsigned rows = 64 * Blocks * consumers, columns = 128;
  static constexpr unsigned a_bytes = rows * row_bytes, stage_bytes = a_bytes + columns * row_bytes;
  static constexpr unsigned shared_bytes = Stages * stage_bytes + 2 * 8 * Stages + ring_alignment;
  static constexpr int producer_registers = 24, consumer_registers = 240;
  static_assert(shared_bytes <= most_shared_bytes, "shared memory of a block");
};

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

template <class Tile>
__device__ void produce(const CUtensorMap& a, const CUtensorMap& b, const kernels::whole_tiles& schedule,
                        const ring& memory, unsigned rank) {
  constexpr unsigned part_rows = Tile::rows / Tile::across;
  kernels::ring_place<Tile> at;
  kernels::tile_share share;
  for (unsigned i = 0; schedule.share(blockIdx.x / Tile::across, gridDim.x / Tile::across, i, share); ++i) {
    const auto place = schedule.order.place(share.tile);
    const int a_row = static_cast<int>(place.row * Tile::rows + rank * part_rows),
              b_row = static_cast<int>((place.column * Tile::across + rank) * Tile::columns);
    for (unsigned step = 0; step < schedule.steps; ++step, at.advance()) {
      const auto barrier = memory.full + 8 * at.stage, stage = memory.base + at.stage * Tile::stage_bytes;
      const int x = static_cast<int>(step * row_bytes);
      gpu::ptx::mbarrier_wait_parity(memory.empty + 8 * at.stage, at.parity ^ 1U);
      gpu::ptx::mbarrier_arrive_expect_tx(barrier, Tile::stage_bytes);
      const auto part = stage + rank * part_rows * row_bytes;
      if constexpr (Tile::across > 1) {
        gpu::ptx::cp_async_bulk_tensor_2d_shared_global_multicast(part, &a, x, a_row, barrier,
                                                                  (1U << Tile::across) - 1);
      } else {
        gpu::ptx::cp_async_bulk_tensor_2d_shared_global(part, &a, x, a_row, barrier);
      }
      gpu::ptx::cp_async_bulk_tensor_2d_shared_global(stage + Tile::a_bytes, &b, x, b_row, barrier);
    }
  }
}

// Frees a stage in every block that copies into it.
template <class Tile>
__device__ void release(std::uint32_t empty) {
  const unsigned thread = threadIdx.x % 128;
  if (thread >= Tile::across) return;
  if constexpr (Tile::across > 1) {
    gpu::ptx::mbarrier_arrive_shared_cluster(gpu::ptx::mapa_shared_cluster(empty, thread));
  } else {
    gpu::ptx::mbarrier_arrive(empty);
  }
}

// Stores a warp's 16 rows of 128 sums.
__device__ inline void store_rows(const target_matrix& target, unsigned first_row, unsigned first_column,
                                  const float (&sums)[64]) {
  const unsigned lane = threadIdx.x % 32;
#pragma unroll
  for (unsigned half = 0; half < 2; ++half) {
    const unsigned row = first_row + lane / 4 + 8 * half;
    if (row >= target.rows) continue;
    auto* const line = target.c + std::size_t{row} * target.columns;
#pragma unroll
    for (unsigned i = 0; i < 16; ++i) {
      const unsigned column = first_column + 8 * i + lane % 4 * 2;
      const float x = sums[4 * i + 2 * half], y = sums[4 * i + 2 * half + 1];
      if (column + 1 < target.columns && target.columns % 2 == 0) {
        *reinterpret_cast<__nv_bfloat162*>(line + column) = __floats2bfloat162_rn(x, y);
      } else {
        if (column < target.columns) line[column] = __float2bfloat16_rn(x);
        if (column + 1 < target.columns) line[column + 1] = __float2bfloat16_rn(y);
      }
    }
  }
}

template <class Tile>
__device__ void consume(const scale_lines& scales, const target_matrix& target,
                        const kernels::whole_tiles& schedule, const ring& memory, unsigned rank,
                        unsigned consumer) {
  kernels::ring_place<Tile> at;
  kernels::tile_share share;
  const unsigned own_rows = consumer * Tile::blocks * 64, warp_row = threadIdx.x / 32 % 4 * 16;
  for (unsigned i = 0; schedule.share(blockIdx.x / Tile::across, gridDim.x / Tile::across, i, share); ++i) {
    const auto place = schedule.order.place(share.tile);
    const unsigned row = place.row * Tile::rows + own_rows + warp_row,
                   column = place.column * Tile::across + rank;
    // Beyond the matrix any scale will do: the operands are zero there and nothing is stored.
    const unsigned last_column = (target.columns - 1) / Tile::columns;
    const float* const b_line =
        scales.b + std::size_t{column < last_column ? column : last_column} * scales.b_blocks;
    const auto read = [&](unsigned step, float(&factor)[Tile::blocks][2], float& of_columns) {
      const float* const a_line = scales.a + std::size_t{step} * scales.rows;
      of_columns = __ldg(b_line + step);
#pragma unroll
      for (unsigned b = 0; b < 2 * Tile::blocks; ++b) {
        const unsigned wanted = row + b / 2 * 64 + b % 2 * 8 + threadIdx.x % 32 / 4;
        factor[b / 2][b % 2] = __ldg(a_line + (wanted < scales.rows ? wanted : scales.rows - 1));
      }
    };
    float total[Tile::blocks][64] = {}, next[Tile::blocks][2], next_of_columns;
    read(0, next, next_of_columns);
    for (unsigned step = 0; step < schedule.steps; ++step, at.advance()) {
      // Read a step ahead: a warpgroup that waits for its scales leaves the tensor cores idle.
      float factor[Tile::blocks][2];
#pragma unroll
      for (unsigned b = 0; b < 2 * Tile::blocks; ++b)
        factor[b / 2][b % 2] = next[b / 2][b % 2] * next_of_columns;
      read(step + 1 < schedule.steps ? step + 1 : step, next, next_of_columns);
      const auto stage = memory.base + at.stage * Tile::stage_bytes;
      gpu::ptx::mbarrier_wait_parity(memory.full + 8 * at.stage, at.parity);
#pragma unroll
      for (unsigned b = 0; b < Tile::blocks; ++b) {
        float sums[64];
        multiply_block(stage + (own_rows + 64 * b) * row_bytes, stage + Tile::a_bytes, sums);
        if (b + 1 == Tile::blocks) release<Tile>(memory.empty + 8 * at.stage);
#pragma unroll
        for (unsigned j = 0; j < 64; ++j) total[b][j] = fmaf(sums[j], factor[b][j / 2 % 2], total[b][j]);
      }
    }
#pragma unroll
    for (unsigned b = 0; b < Tile::blocks; ++b)
      store_rows(target, row + 64 * b, column * Tile::columns, total[b]);
  }
}

#endif

template <class Tile>
__global__ void __launch_bounds__(threads, 1)
    scaled_product([[maybe_unused]] const __grid_constant__ CUtensorMap a,
                   [[maybe_unused]] const __grid_constant__ CUtensorMap b,
                   [[maybe_unused]] const scale_lines scales, [[maybe_unused]] const target_matrix target,
                   [[maybe_unused]] const kernels::whole_tiles schedule) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ std::byte dynamic[];
  const ring memory = make_ring<Tile>(dynamic, Tile::across);
  const auto everyone = [] {
    if constexpr (Tile::across > 1) {
      gpu::ptx::barrier_cluster_arrive_release();
      gpu::ptx::barrier_cluster_wait_acquire();
    } else {
      __syncthreads();
    }
  };
  everyone();
  const unsigned rank = blockIdx.x % Tile::across, warpgroup = __shfl_sync(~0U, threadIdx.x / 128, 0);
  if (warpgroup == 0) {
    gpu::ptx::setmaxnreg_dec<Tile::producer_registers>();
    if (threadIdx.x == 0) produce<Tile>(a, b, schedule, memory, rank);
    __syncwarp();
  } else {
    gpu::ptx::setmaxnreg_inc<Tile::consumer_registers>();
    consume<Tile>(scales, target, schedule, memory, rank, warpgroup - 1);
  }
  // A block stays while the other may copy into it or free its stages.
  if constexpr (Tile::across > 1) everyone();
#endif
}

}  // namespace ridge::experiments::ch09_fp8_blockscaled_gemm
