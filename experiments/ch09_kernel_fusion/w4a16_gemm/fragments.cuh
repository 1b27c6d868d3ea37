// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <cuda.h>

#include <ridge/gpu/ptx/bulk_copy.cuh>
#include <ridge/gpu/ptx/cluster.cuh>
#include <ridge/gpu/ptx/fence.cuh>
#include <ridge/gpu/ptx/load_once.cuh>
#include <ridge/gpu/ptx/matrix.cuh>
#include <ridge/gpu/ptx/mbarrier.cuh>
#include <ridge/gpu/ptx/shared_address.cuh>
#include <ridge/gpu/wgmma_descriptor.hpp>

#include "unpack.cuh"

// The product of up to 16 tokens and packed weights by mma.sync. Weights are its first operand and go from
// global memory to registers without a detour; the activations, its second operand, stay in shared memory.
namespace ridge::experiments::ch09_w4a16_gemm {

inline constexpr unsigned most_warps = 28;
inline constexpr unsigned groups_a_chunk = 8, most_chunks = 8;  // of activations

// How the product is shared out. A cluster makes as many blocks of rows as it has blocks, each of which adds
// up `slice` groups of terms, the last one what is left. A warp makes a tile of 16 rows, and `parts` warps
// share its terms.
struct fragment_plan {
  packed_tiles tiles{};
  unsigned tokens = 0, cluster_blocks = 1, slice = 0, parts = 1;
  [[nodiscard]] __host__ __device__ constexpr unsigned row_tiles() const {
    return cluster_blocks * tiles.block;
  }
  [[nodiscard]] __host__ __device__ constexpr unsigned jobs() const { return row_tiles() * parts; }
  // Of activations from a multiple of 1024 on, and the sums of all jobs behind them.
  [[nodiscard]] __host__ __device__ constexpr unsigned shared_bytes(unsigned tokens_a_pass) const {
    return 1024 + tokens_a_pass * (slice * unsigned{group_bytes} + jobs() * unsigned{tile_rows} * 4);
  }
};

#if __CUDA_ARCH__ >= 900

// What a lane needs of a tile.
template <format F>
struct lane_tile {
  uint4 codes[2];
  std::uint32_t scales[words_of_scales<F>];
};

// Loads a lane's part of tile `index` of the packed ones.
template <format F>
__device__ void load_tile(const char* packed, const packed_tiles& tiles, std::uint32_t index, unsigned lane,
                          lane_tile<F>& t) {
  using gpu::ptx::ld_global_nc_once;
  const char* const codes = packed + std::size_t{index} * code_bytes + lane * 16;
  t.codes[0] = ld_global_nc_once(reinterpret_cast<const uint4*>(codes));
  t.codes[1] = ld_global_nc_once(reinterpret_cast<const uint4*>(codes + code_bytes / 2));
  const char* const scales = packed + tiles.tiles() * code_bytes + std::size_t{index} * scale_bytes(F) +
                             lane / 4 * (scale_bytes(F) / 8);
  if constexpr (words_of_scales<F> == 1) {
    t.scales[0] = ld_global_nc_once(reinterpret_cast<const std::uint32_t*>(scales));
  } else if constexpr (words_of_scales<F> == 2) {
    const auto s = ld_global_nc_once(reinterpret_cast<const uint2*>(scales));
    t.scales[0] = s.x, t.scales[1] = s.y;
  } else {
    const auto s = ld_global_nc_once(reinterpret_cast<const uint4*>(scales));
    t.scales[0] = s.x, t.scales[1] = s.y, t.scales[2] = s.z, t.scales[3] = s.w;
  }
}

// Adds the products of a tile and the activations of the same terms, two boxes of 64 terms at `boxes`.
template <format F, unsigned Tokens>
__device__ void add_products(const lane_tile<F>& tile, std::uint32_t boxes, unsigned lane,
                             float (&sums)[Tokens / 8][4]) {
  const std::uint32_t words[8] = {tile.codes[0].x, tile.codes[0].y, tile.codes[0].z, tile.codes[0].w,
                                  tile.codes[1].x, tile.codes[1].y, tile.codes[1].z, tile.codes[1].w};
#pragma unroll
  for (unsigned step = 0; step < 8; step += 2) {
    std::uint32_t a[2][4];
    unpack<F>(words[step], tile.scales, step, a[0]);
    unpack<F>(words[step + 1], tile.scales, step + 1, a[1]);
#pragma unroll
    for (unsigned t = 0; t < Tokens / 8; ++t) {
      std::uint32_t b[2][2];
      const std::uint32_t eight = boxes + step / 4 * Tokens * 128 + t * 1024;
      gpu::ptx::ldmatrix_x4(eight + gpu::swizzled_128b_offset(lane % 8, step % 4 * 2 + lane / 8), b[0][0],
                            b[0][1], b[1][0], b[1][1]);
      gpu::ptx::mma_m16n8k16_f32_bf16(sums[t], a[0], b[0]);
      gpu::ptx::mma_m16n8k16_f32_bf16(sums[t], a[1], b[1]);
    }
  }
}

// The same, and of int4 the sums of the tile are scaled before they are added.
template <format F, unsigned Tokens>
__device__ void add_tile(const lane_tile<F>& tile, std::uint32_t boxes, unsigned lane,
                         float (&sums)[Tokens / 8][4]) {
  if constexpr (F == format::int4) {
    float fresh[Tokens / 8][4] = {};
    add_products<F, Tokens>(tile, boxes, lane, fresh);
#pragma unroll
    for (unsigned i = 0; i < Tokens / 2; ++i)
      sums[i / 4][i % 4] += fresh[i / 4][i % 4] * gpu::bf16_of(tile.scales[0], i / 2 % 2);
  } else {
    add_products<F, Tokens>(tile, boxes, lane, sums);
  }
}

// A block's place in the product.
struct fragment_place {
  unsigned rank, first_block, first_group, groups, first_token;
  __device__ explicit fragment_place(const fragment_plan& plan, unsigned tokens_a_pass)
      : rank(blockIdx.x % plan.cluster_blocks),
        first_block(blockIdx.x - rank),
        first_group(rank * plan.slice),
        groups(min(plan.slice, static_cast<unsigned>(plan.tiles.groups()) - first_group)),
        first_token(blockIdx.y * tokens_a_pass) {}
};

// One warp copies the activations of the block's terms to shared memory, as boxes of 64 terms, and their
// bytes complete on a barrier for every eight groups.
template <unsigned Tokens>
__device__ void copy_activations(const CUtensorMap& map, const fragment_place& own, unsigned lane,
                                 std::uint32_t shared, std::uint32_t barriers) {
  constexpr std::uint32_t box_bytes = Tokens * 128;
  if (lane * groups_a_chunk < own.groups)
    gpu::ptx::mbarrier_arrive_expect_tx(
        barriers + lane * 8, min(groups_a_chunk, own.groups - lane * groups_a_chunk) * 2 * box_bytes);
  __syncwarp();
  for (unsigned box = lane; box < 2 * own.groups; box += 32)
    gpu::ptx::cp_async_bulk_tensor_2d_shared_global(
        shared + box * box_bytes, &map, static_cast<int>(own.first_group * tile_terms + box * 64),
        static_cast<int>(own.first_token), barriers + box / (2 * groups_a_chunk) * 8);
}

// Adds up a warp's share of a row tile: groups part, part + parts, ..., `Depth` of them on their way.
template <format F, unsigned Tokens, unsigned Depth>
__device__ void run_job(const fragment_plan& plan, const fragment_place& own, const char* packed,
                        std::uint32_t activations, std::uint32_t barriers, unsigned job, bool first,
                        float (&sums)[Tokens / 8][4]) {
  const unsigned lane = threadIdx.x % 32, tile = job % plan.row_tiles(), part = job / plan.row_tiles();
  const unsigned block = own.first_block + tile / plan.tiles.block;
  const unsigned stride = plan.parts * plan.tiles.block;
  unsigned g = block < plan.tiles.row_blocks() ? part : own.groups;
  unsigned next =
      (block * static_cast<unsigned>(plan.tiles.groups()) + own.first_group + part) * plan.tiles.block +
      tile % plan.tiles.block;
  lane_tile<F> ahead[Depth];
#pragma unroll
  for (unsigned d = 0; d < Depth; ++d, next += stride)
    if (g + d * plan.parts < own.groups) load_tile<F>(packed, plan.tiles, next, lane, ahead[d]);
  if (first) __syncthreads();  // the barriers are initialized
  while (g < own.groups) {
#pragma unroll
    for (unsigned d = 0; d < Depth; ++d, g += plan.parts, next += stride) {
      if (g >= own.groups) break;
      while (!gpu::ptx::mbarrier_try_wait_parity(barriers + g / groups_a_chunk * 8, 0)) {
      }
      add_tile<F, Tokens>(ahead[d], activations + g * Tokens * unsigned{group_bytes}, lane, sums);
      if (g + Depth * plan.parts < own.groups) load_tile<F>(packed, plan.tiles, next, lane, ahead[d]);
    }
  }
}

// Writes the block's rows of the product: what all parts and all blocks of the cluster summed up, in their
// order.
template <format F, unsigned Tokens>
__device__ void write_rows(const fragment_plan& plan, const fragment_place& own, std::uint32_t sums,
                           std::uint16_t* target) {
  constexpr unsigned of_tile = Tokens * unsigned{tile_rows};
  const unsigned of_block = plan.tiles.block * of_tile, of_part = plan.cluster_blocks * of_block;
  for (unsigned e = threadIdx.x; e < of_block; e += blockDim.x) {
    float sum = 0;
    for (unsigned r = 0; r < plan.cluster_blocks; ++r) {
      const std::uint32_t theirs = gpu::ptx::mapa_shared_cluster(sums, r);
      for (unsigned part = 0; part < plan.parts; ++part)
        sum += __uint_as_float(
            gpu::ptx::ld_shared_cluster_u32(theirs + (part * of_part + own.rank * of_block + e) * 4));
    }
    const unsigned token = own.first_token + e / tile_rows % Tokens;
    const std::size_t row =
        (std::size_t{blockIdx.x} * plan.tiles.block + e / of_tile) * tile_rows + e % tile_rows;
    if (token < plan.tokens && row < plan.tiles.rows)
      target[token * plan.tiles.rows + row] =
          static_cast<std::uint16_t>(gpu::bf16x2(F == format::int4 ? sum : sum * after_fp4, 0.0F));
  }
}

// Waits for all threads of the cluster, or of the block where it is alone.
__device__ inline void meet(const fragment_plan& plan) {
  if (plan.cluster_blocks == 1) {
    __syncthreads();
  } else {
    gpu::ptx::barrier_cluster_arrive_release();
    gpu::ptx::barrier_cluster_wait_acquire();
  }
}

#endif

template <format F, unsigned Tokens, unsigned Depth>
__global__ void __launch_bounds__(32 * most_warps, 1)
    multiply_fragments([[maybe_unused]] const __grid_constant__ CUtensorMap map,
                       [[maybe_unused]] const __grid_constant__ fragment_plan plan,
                       [[maybe_unused]] const char* packed, [[maybe_unused]] std::uint16_t* target) {
#if __CUDA_ARCH__ >= 900
  using namespace gpu::ptx;
  extern __shared__ char shared[];
  __shared__ __align__(8) std::uint64_t barriers[most_chunks];
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const std::uint32_t base = shared_address(shared), activations = (base + 1023) / 1024 * 1024;
  const std::uint32_t sums_at = activations + plan.slice * Tokens * unsigned{group_bytes};
  auto* const all_sums = reinterpret_cast<float*>(shared + (sums_at - base));
  const fragment_place own(plan, Tokens);
  if (warp == 0) {
    if (lane < most_chunks) mbarrier_init(shared_address(barriers) + 8 * lane, 1);
    fence_mbarrier_init_release_cluster();
    __syncwarp();
    copy_activations<Tokens>(map, own, lane, activations, shared_address(barriers));
  }
  for (unsigned job = warp; job < plan.jobs(); job += blockDim.x / 32) {
    float sums[Tokens / 8][4] = {};
    run_job<F, Tokens, Depth>(plan, own, packed, activations, shared_address(barriers), job, job == warp,
                              sums);
#pragma unroll
    for (unsigned i = 0; i < Tokens / 2; ++i) {
      const unsigned token = i / 4 * 8 + lane % 4 * 2 + i % 2, row = lane / 4 + i / 2 % 2 * 8;
      all_sums[(job * Tokens + token) * tile_rows + row] = sums[i / 4][i % 4];
    }
  }
  meet(plan);
  write_rows<F, Tokens>(plan, own, sums_at, target);
  if (plan.cluster_blocks > 1) meet(plan);  // no block ends while another one reads its sums
#endif
}

}  // namespace ridge::experiments::ch09_w4a16_gemm
