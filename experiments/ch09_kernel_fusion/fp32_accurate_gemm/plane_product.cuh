// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <ridge/gpu/ptx/bulk_copy.cuh>
#include <ridge/gpu/ptx/fence.cuh>
#include <ridge/gpu/ptx/mbarrier.cuh>
#include <ridge/gpu/ptx/setmaxnreg.cuh>
#include <ridge/gpu/ptx/shared_address.cuh>
#include <ridge/gpu/ptx/wgmma.cuh>
#include <ridge/gpu/wgmma_descriptor.hpp>
#include <ridge/kernels/ring_place.hpp>
#include <ridge/kernels/tile_order.hpp>

// Products of operands that are sums of planes (sm_90a). A stage of the ring holds a step's terms of all
// planes of both operands, so that each is copied once for the products that it takes part in. Tensor cores
// keep few bits below those of their sums, so the sums of a few stages are added to others in fp32 registers.
namespace ridge::experiments::ch09_fp32_accurate_gemm {

// Planes a and b of one product.
struct plane_pair {
  unsigned a, b;
};

// The products of planes, the smallest first.
struct bf16_planes {
  static constexpr unsigned bytes = 2, planes = 3, products = 6;
  static constexpr CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
  // The pair number `product`.
  static constexpr __host__ __device__ plane_pair pair(unsigned product) {
    constexpr plane_pair pairs[products] = {{0, 2}, {2, 0}, {1, 1}, {0, 1}, {1, 0}, {0, 0}};
    return pairs[product];
  }
};
struct tf32_planes {
  static constexpr unsigned bytes = 4, planes = 2, products = 3;
  static constexpr CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
  // The pair number `product`.
  static constexpr __host__ __device__ plane_pair pair(unsigned product) {
    constexpr plane_pair pairs[products] = {{0, 1}, {1, 0}, {0, 0}};
    return pairs[product];
  }
};
struct fp16_planes {
  static constexpr unsigned bytes = 2, planes = 2, products = 3;
  static constexpr CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
  // The pair number `product`.
  static constexpr __host__ __device__ plane_pair pair(unsigned product) {
    constexpr plane_pair pairs[products] = {{0, 1}, {1, 0}, {0, 0}};
    return pairs[product];
  }
};

// A block's tile: two warpgroups make 64 rows each. Sums of `Chunk` stages are added in the tensor cores.
template <class Planes, unsigned Columns, unsigned Stages, unsigned Chunk>
struct plane_tile {
  using split = Planes;
  static constexpr unsigned consumers = 2, rows = 64 * consumers, columns = Columns, stages = Stages,
                            chunk = Chunk;
  static constexpr unsigned threads = 128 * (consumers + 1);
  static constexpr unsigned row_bytes = 128, terms = row_bytes / Planes::bytes;
  static constexpr unsigned a_bytes = rows * row_bytes, b_bytes = columns * row_bytes;
  static constexpr unsigned stage_bytes = Planes::planes * (a_bytes + b_bytes);
  static constexpr unsigned alignment = 1024,
                            shared_bytes = Stages * stage_bytes + 2 * 8 * Stages + alignment;
  static constexpr int producer_registers = 24, consumer_registers = 240;
  static_assert(shared_bytes <= 232448, "shared memory of a block");
};

// The planes of an operand, one below the other, `rows` apart.
struct plane_map {
  CUtensorMap boxes;
  unsigned rows;
};

struct plane_target {
  float* c;
  const float* a_factors;  // of each row of c, and of each column
  const float* b_factors;
  unsigned rows, columns;
};

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

template <class Tile>
__device__ void produce(const plane_map& a, const plane_map& b, const kernels::whole_tiles& schedule,
                        std::uint32_t base, std::uint32_t full, std::uint32_t empty) {
  kernels::ring_place<Tile> at;
  kernels::tile_share share;
  for (unsigned i = 0; schedule.share(blockIdx.x, gridDim.x, i, share); ++i) {
    const auto tile = schedule.order.place(share.tile);
    for (unsigned step = 0; step < schedule.steps; ++step, at.advance()) {
      gpu::ptx::mbarrier_wait_parity(empty + 8 * at.stage, at.parity ^ 1U);
      const auto barrier = full + 8 * at.stage;
      gpu::ptx::mbarrier_arrive_expect_tx(barrier, Tile::stage_bytes);
      auto target = base + at.stage * Tile::stage_bytes;
      const int x = static_cast<int>(step * Tile::terms);
      for (unsigned plane = 0; plane < Tile::split::planes; ++plane, target += Tile::a_bytes)
        gpu::ptx::cp_async_bulk_tensor_2d_shared_global(
            target, &a.boxes, x, static_cast<int>(plane * a.rows + tile.row * Tile::rows), barrier);
      for (unsigned plane = 0; plane < Tile::split::planes; ++plane, target += Tile::b_bytes)
        gpu::ptx::cp_async_bulk_tensor_2d_shared_global(
            target, &b.boxes, x, static_cast<int>(plane * b.rows + tile.column * Tile::columns), barrier);
    }
  }
}

__device__ inline void multiply(bf16_planes, auto& sums, std::uint64_t a, std::uint64_t b, int scale_d) {
  gpu::ptx::wgmma_f32_bf16(sums, a, b, scale_d);
}
__device__ inline void multiply(tf32_planes, auto& sums, std::uint64_t a, std::uint64_t b, int scale_d) {
  gpu::ptx::wgmma_f32_tf32(sums, a, b, scale_d);
}
__device__ inline void multiply(fp16_planes, auto& sums, std::uint64_t a, std::uint64_t b, int scale_d) {
  gpu::ptx::wgmma_f32_f16(sums, a, b, scale_d);
}

// Begins all products of a stage.
template <class Tile>
__device__ void multiply_stage(std::uint32_t stage, unsigned consumer, bool replace,
                               float (&sums)[Tile::columns / 2]) {
  using split = typename Tile::split;
  const std::uint32_t of_a = stage + consumer * 64 * Tile::row_bytes,
                      of_b = stage + split::planes * Tile::a_bytes;
  gpu::ptx::wgmma_fence();
#pragma unroll
  for (unsigned product = 0; product < split::products; ++product) {
#pragma unroll
    for (unsigned part = 0; part < Tile::row_bytes / 32; ++part) {
      const auto pair = split::pair(product);
      multiply(split{}, sums, gpu::wgmma_descriptor_128b_rows(of_a + pair.a * Tile::a_bytes + 32 * part),
               gpu::wgmma_descriptor_128b_rows(of_b + pair.b * Tile::b_bytes + 32 * part),
               product == 0 && part == 0 && replace ? 0 : 1);
    }
  }
  gpu::ptx::wgmma_commit_group();
}

// Stores a warp's 16 rows of sums, scaled back.
template <class Tile>
__device__ void store(const plane_target& target, unsigned first_row, unsigned first_column,
                      const float (&sums)[Tile::columns / 2]) {
  const unsigned lane = threadIdx.x % 32;
#pragma unroll
  for (unsigned half = 0; half < 2; ++half) {
    const unsigned row = first_row + lane / 4 + 8 * half;
    if (row >= target.rows) continue;
    const float factor = target.a_factors[row];
    float* const line = target.c + std::size_t{row} * target.columns;
#pragma unroll
    for (unsigned i = 0; i < Tile::columns / 8; ++i) {
      const unsigned column = first_column + 8 * i + lane % 4 * 2;
      if (column >= target.columns) continue;
      const float x = sums[4 * i + 2 * half] * factor * target.b_factors[column];
      if (column + 1 == target.columns) {
        line[column] = x;
        continue;
      }
      const float y = sums[4 * i + 2 * half + 1] * factor * target.b_factors[column + 1];
      if (target.columns % 2 == 0) {
        *reinterpret_cast<float2*>(line + column) = {x, y};
      } else {
        line[column] = x, line[column + 1] = y;
      }
    }
  }
}

template <class Tile>
__device__ void consume(const plane_target& target, const kernels::whole_tiles& schedule, std::uint32_t base,
                        std::uint32_t full, std::uint32_t empty, unsigned consumer) {
  kernels::ring_place<Tile> at;
  kernels::tile_share share;
  for (unsigned i = 0; schedule.share(blockIdx.x, gridDim.x, i, share); ++i) {
    float total[Tile::columns / 2] = {}, sums[Tile::columns / 2];
    for (unsigned step = 0; step < schedule.steps; ++step, at.advance()) {
      const bool begins = step % Tile::chunk == 0,
                 ends = (step + 1) % Tile::chunk == 0 || step + 1 == schedule.steps;
      gpu::ptx::mbarrier_wait_parity(full + 8 * at.stage, at.parity);
      multiply_stage<Tile>(base + at.stage * Tile::stage_bytes, consumer, begins, sums);
      gpu::ptx::wgmma_wait_group<0>();
      if (threadIdx.x % 128 == 0) gpu::ptx::mbarrier_arrive(empty + 8 * at.stage);
      if (!ends) continue;
#pragma unroll
      for (unsigned j = 0; j < Tile::columns / 2; ++j) total[j] += sums[j];
    }
    const auto tile = schedule.order.place(share.tile);
    const unsigned warp = threadIdx.x / 32 % 4;
    store<Tile>(target, tile.row * Tile::rows + consumer * 64 + warp * 16, tile.column * Tile::columns,
                total);
  }
}

#endif

template <class Tile>
__global__ void __launch_bounds__(Tile::threads, 1)
    plane_product([[maybe_unused]] const __grid_constant__ plane_map a,
                  [[maybe_unused]] const __grid_constant__ plane_map b,
                  [[maybe_unused]] const plane_target target,
                  [[maybe_unused]] const kernels::whole_tiles schedule) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ std::byte dynamic[];
  const auto base = (gpu::ptx::shared_address(dynamic) + Tile::alignment - 1) & ~(Tile::alignment - 1);
  const auto full = base + Tile::stages * Tile::stage_bytes, empty = full + 8 * Tile::stages;
  if (threadIdx.x == 0) {
    for (unsigned stage = 0; stage < Tile::stages; ++stage) {
      gpu::ptx::mbarrier_init(full + 8 * stage, 1);
      gpu::ptx::mbarrier_init(empty + 8 * stage, Tile::consumers);
    }
    gpu::ptx::fence_mbarrier_init_release_cluster();
  }
  __syncthreads();
  const unsigned warpgroup = __shfl_sync(~0U, threadIdx.x / 128, 0);
  if (warpgroup == 0) {
    gpu::ptx::setmaxnreg_dec<Tile::producer_registers>();
    if (threadIdx.x == 0) produce<Tile>(a, b, schedule, base, full, empty);
  } else {
    gpu::ptx::setmaxnreg_inc<Tile::consumer_registers>();
    consume<Tile>(target, schedule, base, full, empty, warpgroup - 1);
  }
#endif
}

}  // namespace ridge::experiments::ch09_fp32_accurate_gemm
