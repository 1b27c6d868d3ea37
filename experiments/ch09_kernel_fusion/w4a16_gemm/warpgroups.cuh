// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <cuda.h>

#include <ridge/gpu/ptx/bulk_copy.cuh>
#include <ridge/gpu/ptx/fence.cuh>
#include <ridge/gpu/ptx/mbarrier.cuh>
#include <ridge/gpu/ptx/setmaxnreg.cuh>
#include <ridge/gpu/ptx/shared_address.cuh>
#include <ridge/gpu/ptx/wgmma.cuh>
#include <ridge/gpu/ptx/wgmma_narrow.cuh>
#include <ridge/gpu/wgmma_descriptor.hpp>

#include "unpack.cuh"

// The product of 64 tokens and packed weights by wgmma: weights are its first operand, unpacked in registers;
// tokens are the columns of the second one, in shared memory. One warp copies ahead what the others multiply.
namespace ridge::experiments::ch09_w4a16_gemm {

inline constexpr unsigned multiplying_warps = warpgroup_block;
inline constexpr unsigned product_threads = 32 * multiplying_warps + 128;
inline constexpr unsigned pass_tokens = 64;
// Of a thread. A block is started with 96 for each of its 640 threads, and no warpgroup gets more than others
// give up: 512 x 112 + 128 x 24 of 640 x 96.
inline constexpr int multiplying_registers = 112, copying_registers = 24;
static_assert(32 * multiplying_warps * multiplying_registers + 128 * copying_registers <=
              65536 / product_threads / 8 * 8 * product_threads);

// A stage of the ring in shared memory: the activations of 128 terms as two boxes of 64 terms, swizzled, the
// codes of 256 rows and these terms, and their scales.
template <format F>
struct stage_layout {
  static constexpr std::uint32_t box_bytes = pass_tokens * 128;
  static constexpr std::uint32_t codes = 2 * box_bytes, scales = codes + multiplying_warps * code_bytes;
  static constexpr std::uint32_t loaded_bytes = scales + multiplying_warps * scale_bytes(F);
  static constexpr std::uint32_t bytes = (loaded_bytes + 1023) / 1024 * 1024;
  // Of a ring that begins at a multiple of 1024.
  static constexpr std::uint32_t ring_bytes(unsigned stages) { return stages * bytes + 1024; }
};

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

__device__ inline void wait_parity(std::uint32_t barrier, std::uint32_t parity) {
  while (!gpu::ptx::mbarrier_try_wait_parity(barrier, parity)) {
  }
}

// The products of a warpgroup's 64 rows and 64 terms, waited for. With `fresh` they replace the sums.
__device__ inline void add_box(std::uint32_t box, const std::uint32_t (&a)[4][4], bool fresh,
                               float (&sums)[pass_tokens / 2]) {
  gpu::ptx::wgmma_fence();
#pragma unroll
  for (unsigned i = 0; i < 4; ++i)
    gpu::ptx::wgmma_f32_bf16(sums, a[i], gpu::wgmma_descriptor_128b_rows(box) + i * 2, i != 0 || !fresh);
  gpu::ptx::wgmma_commit_group();
  gpu::ptx::wgmma_wait_group<0>();
}

// Fills the ring with all groups of terms of the 256 rows `block`, in their order.
template <format F, unsigned Stages>
__device__ void produce(const CUtensorMap& activations, const char* packed, const packed_tiles& tiles,
                        std::uint32_t stages, std::uint32_t full, std::uint32_t empty) {
  using namespace gpu::ptx;
  using layout = stage_layout<F>;
  constexpr std::uint32_t codes = multiplying_warps * code_bytes, scales = multiplying_warps * scale_bytes(F);
  const char* const all_scales = packed + tiles.tiles() * code_bytes;
  const int token = static_cast<int>(blockIdx.y * pass_tokens);
  for (unsigned g = 0; g < tiles.groups(); ++g) {
    const unsigned stage = g % Stages, turn = g / Stages;
    if (turn > 0) wait_parity(empty + 8 * stage, (turn - 1) & 1U);
    const std::uint32_t place = stages + stage * layout::bytes, barrier = full + 8 * stage;
    const std::size_t block = blockIdx.x * tiles.groups() + g;
    const int term = static_cast<int>(g * tile_terms);
    mbarrier_arrive_expect_tx(barrier, layout::loaded_bytes);
    cp_async_bulk_shared_global(place + layout::codes, packed + block * codes, codes, barrier);
    cp_async_bulk_shared_global(place + layout::scales, all_scales + block * scales, scales, barrier);
    cp_async_bulk_tensor_2d_shared_global(place, &activations, term, token, barrier);
    cp_async_bulk_tensor_2d_shared_global(place + layout::box_bytes, &activations, term + 64, token, barrier);
  }
}

// Adds the products of a warp's tile in `stage`.
template <format F>
__device__ void add_stage(const char* stage, std::uint32_t boxes, unsigned warp, unsigned lane,
                          float (&sums)[pass_tokens / 2]) {
  using layout = stage_layout<F>;
  constexpr bool grouped = F == format::int4;  // sums of a scale's terms are scaled, not each weight
  const auto* codes = reinterpret_cast<const uint4*>(stage + layout::codes) + warp * 64 + lane;
  std::uint32_t scales[words_of_scales<F>];
#pragma unroll
  for (unsigned i = 0; i < words_of_scales<F>; ++i)
    scales[i] = reinterpret_cast<const std::uint32_t*>(
        stage + layout::scales)[(warp * 8 + lane / 4) * words_of_scales<F> + i];
  const auto add = [&](float(&products)[pass_tokens / 2]) {
#pragma unroll
    for (unsigned half = 0; half < 2; ++half) {
      const uint4 four = codes[32 * half];
      std::uint32_t a[4][4];
      unpack<F>(four.x, scales, half * 4, a[0]);
      unpack<F>(four.y, scales, half * 4 + 1, a[1]);
      unpack<F>(four.z, scales, half * 4 + 2, a[2]);
      unpack<F>(four.w, scales, half * 4 + 3, a[3]);
      add_box(boxes + half * layout::box_bytes, a, grouped && half == 0, products);
    }
  };
  if constexpr (grouped) {
    float group_sums[pass_tokens / 2];
    add(group_sums);
#pragma unroll
    for (unsigned i = 0; i < pass_tokens / 2; ++i)
      sums[i] += group_sums[i] * gpu::bf16_of(scales[0], i / 2 % 2);
  } else {
    add(sums);
  }
}

#endif

// Block b of the grid makes rows 256 b ... of the product, for tokens of the map's box at blockIdx.y.
// target[token * rows + row]. The last warpgroup copies, the others multiply.
template <format F, unsigned Stages>
__global__ void __launch_bounds__(product_threads, 1)
    multiply_by_warpgroups([[maybe_unused]] const __grid_constant__ CUtensorMap activations,
                           [[maybe_unused]] const char* packed, [[maybe_unused]] std::uint16_t* target,
                           [[maybe_unused]] unsigned tokens, [[maybe_unused]] packed_tiles tiles) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  using namespace gpu::ptx;
  extern __shared__ char shared[];
  __shared__ __align__(8) std::uint64_t full[Stages], empty[Stages];
  char* const stages = shared + (1024 - shared_address(shared) % 1024) % 1024;
  const std::uint32_t base = shared_address(stages), is_full = shared_address(full),
                      is_empty = shared_address(empty);
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (threadIdx.x == 0) {
    for (unsigned s = 0; s < Stages; ++s) {
      mbarrier_init(is_full + 8 * s, 1);
      mbarrier_init(is_empty + 8 * s, multiplying_warps);
    }
    fence_mbarrier_init_release_cluster();
  }
  __syncthreads();
  if (warp >= multiplying_warps) {
    setmaxnreg_dec<copying_registers>();
    if (threadIdx.x == multiplying_warps * 32)
      produce<F, Stages>(activations, packed, tiles, base, is_full, is_empty);
    return;
  }
  setmaxnreg_inc<multiplying_registers>();
  float sums[pass_tokens / 2] = {};
  for (unsigned g = 0; g < tiles.groups(); ++g) {
    const unsigned stage = g % Stages, at = stage * stage_layout<F>::bytes;
    wait_parity(is_full + 8 * stage, g / Stages & 1U);
    add_stage<F>(stages + at, base + at, warp, lane, sums);
    if (lane == 0) mbarrier_arrive(is_empty + 8 * stage);
  }
  const std::size_t row = (blockIdx.x * std::size_t{multiplying_warps} + warp) * tile_rows + lane / 4;
#pragma unroll
  for (unsigned i = 0; i < pass_tokens / 2; ++i) {
    const unsigned token = blockIdx.y * pass_tokens + i / 4 * 8 + lane % 4 * 2 + i % 2;
    const std::size_t r = row + i / 2 % 2 * 8;
    if (token < tokens && r < tiles.rows)
      target[token * tiles.rows + r] =
          static_cast<std::uint16_t>(gpu::bf16x2(F == format::int4 ? sums[i] : sums[i] * after_fp4, 0.0F));
  }
#endif
}

}  // namespace ridge::experiments::ch09_w4a16_gemm
