// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <cuda.h>

#include <ridge/gpu/ptx/bulk_copy.cuh>
#include <ridge/gpu/ptx/fence.cuh>
#include <ridge/gpu/ptx/matrix.cuh>
#include <ridge/gpu/ptx/mbarrier.cuh>
#include <ridge/gpu/ptx/setmaxnreg.cuh>
#include <ridge/gpu/ptx/shared_address.cuh>
#include <ridge/gpu/ptx/wgmma.cuh>
#include <ridge/gpu/ptx/wgmma_narrow.cuh>
#include <ridge/gpu/wgmma_descriptor.hpp>

#include "unpack.cuh"

// The product of activations and packed weights by matrix instructions: weights are the first operand, from
// registers, where they are unpacked; tokens are the columns of the second one, from shared memory. For up to
// 16 tokens by mma.sync, whose warps go their own ways; for 64 by wgmma, which multiplies faster.
namespace ridge::experiments::ch09_w4a16_gemm {

inline constexpr unsigned multiplying_warps = 16;  // of 16 rows each
inline constexpr unsigned product_threads = 32 * multiplying_warps + 128;

// A ring of stages in shared memory: the record of a block, and the activations of its terms as two boxes of
// 64 terms, swizzled.
template <format F, unsigned Tokens, unsigned Stages>
struct ring {
  static constexpr std::uint32_t box_bytes = Tokens * 128;
  static constexpr std::uint32_t loaded_bytes = 2 * box_bytes + record_bytes(F);
  static constexpr std::uint32_t stage_bytes = (loaded_bytes + 1023) / 1024 * 1024;
  static constexpr std::uint32_t shared_bytes = Stages * stage_bytes + 1024;  // the first is aligned to 1024
};

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

__device__ inline void wait_parity(std::uint32_t barrier, std::uint32_t parity) {
  while (!gpu::ptx::mbarrier_try_wait_parity(barrier, parity)) {
  }
}

// The lane's codes of 64 terms, four steps of 16, to what the matrix instructions take. `scales`: of the
// lane's rows and all terms of the block.
template <format F>
__device__ void unpack(uint4 codes, const char* scales, unsigned half, std::uint32_t (&a)[4][4]) {
  const std::uint32_t words[4] = {codes.x, codes.y, codes.z, codes.w};
  if constexpr (F == format::int4) {
#pragma unroll
    for (unsigned i = 0; i < 4; ++i) unpack_int4(words[i], a[i]);
  } else {
    constexpr unsigned count = 64 / terms_a_scale(F);  // scales of each of the two rows: two pairs a word
    const auto* const pairs = reinterpret_cast<const std::uint32_t*>(scales) + half * count / 2;
#pragma unroll
    for (unsigned i = 0; i < 4; ++i) {
      const unsigned s = i * count / 4;
      const std::uint32_t pair = pairs[s / 2] >> (16 * (s % 2));
      unpack_fp4(words[i], F == format::nvfp4 ? nvfp4_scales(pair) : mxfp4_scales(pair), a[i]);
    }
  }
}

// Adds the products of a warp's 16 rows and 64 terms by mma.sync: the activations are loaded from their
// box as its second operand. Two sums take turns, so that an instruction need not wait for the one before.
template <unsigned Tokens>
__device__ void add_by_warp(std::uint32_t box, unsigned lane, const std::uint32_t (&a)[4][4],
                            float (&sums)[Tokens / 8][4]) {
#pragma unroll
  for (unsigned t = 0; t < Tokens / 8; ++t) {
    float odd[4] = {};
#pragma unroll
    for (unsigned i = 0; i < 4; i += 2) {
      std::uint32_t b[2][2];
      const std::uint32_t part = box + t * 1024 + gpu::swizzled_128b_offset(lane % 8, i * 2 + lane / 8);
      gpu::ptx::ldmatrix_x4(part, b[0][0], b[0][1], b[1][0], b[1][1]);
      gpu::ptx::mma_m16n8k16_f32_bf16(sums[t], a[i], b[0]);
      gpu::ptx::mma_m16n8k16_f32_bf16(odd, a[i + 1], b[1]);
    }
#pragma unroll
    for (unsigned i = 0; i < 4; ++i) sums[t][i] += odd[i];
  }
}

// The same of a warpgroup's 64 rows by wgmma, waited for. With `fresh` the products replace the sums.
template <unsigned Tokens>
__device__ void add_by_warpgroup(std::uint32_t box, const std::uint32_t (&a)[4][4], bool fresh,
                                 float (&sums)[Tokens / 2]) {
  gpu::ptx::wgmma_fence();
#pragma unroll
  for (unsigned i = 0; i < 4; ++i)
    gpu::ptx::wgmma_f32_bf16(sums, a[i], gpu::wgmma_descriptor_128b_rows(box) + i * 2, i != 0 || !fresh);
  gpu::ptx::wgmma_commit_group();
  gpu::ptx::wgmma_wait_group<0>();
}

// Fills the ring with all blocks of terms, in their order.
template <format F, unsigned Tokens, unsigned Stages>
__device__ void produce(const CUtensorMap& activations, const char* packed, unsigned blocks,
                        std::uint32_t stages, std::uint32_t full, std::uint32_t empty) {
  using namespace gpu::ptx;
  using shape = ring<F, Tokens, Stages>;
  const int token = static_cast<int>(blockIdx.y * Tokens);
  for (unsigned block = 0; block < blocks; ++block) {
    const unsigned stage = block % Stages, turn = block / Stages;
    if (turn > 0) wait_parity(empty + 8 * stage, (turn - 1) & 1U);
    const std::uint32_t place = stages + stage * shape::stage_bytes, barrier = full + 8 * stage;
    const int term = static_cast<int>(block * block_terms);
    mbarrier_arrive_expect_tx(barrier, shape::loaded_bytes);
    cp_async_bulk_shared_global(place + 2 * shape::box_bytes, packed + std::size_t{block} * record_bytes(F),
                                record_bytes(F), barrier);
    cp_async_bulk_tensor_2d_shared_global(place, &activations, term, token, barrier);
    cp_async_bulk_tensor_2d_shared_global(place + shape::box_bytes, &activations, term + 64, token, barrier);
  }
}

#endif

// Block b of the grid makes rows 256 b ... of the product, for tokens of the map's box at blockIdx.y.
// target[token * rows + row]. The last warpgroup copies, the others multiply.
template <format F, unsigned Tokens, unsigned Stages>
__global__ void __launch_bounds__(product_threads, 1)
    packed_product([[maybe_unused]] const __grid_constant__ CUtensorMap activations,
                   [[maybe_unused]] const char* packed, [[maybe_unused]] std::uint16_t* target,
                   [[maybe_unused]] unsigned tokens, [[maybe_unused]] unsigned rows,
                   [[maybe_unused]] unsigned blocks) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  using namespace gpu::ptx;
  using shape = ring<F, Tokens, Stages>;
  constexpr bool grouped = F == format::int4;  // sums of a scale's terms are scaled, not each weight
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
    setmaxnreg_dec<24>();
    if (threadIdx.x == multiplying_warps * 32)
      produce<F, Tokens, Stages>(activations, packed + std::size_t{blockIdx.x} * blocks * record_bytes(F),
                                 blocks, base, is_full, is_empty);
    return;
  }
  setmaxnreg_inc<120>();
  float sums[Tokens / 2] = {};
  for (unsigned block = 0; block < blocks; ++block) {
    const unsigned stage = block % Stages;
    wait_parity(is_full + 8 * stage, block / Stages & 1U);
    const std::uint32_t boxes = base + stage * shape::stage_bytes;
    const char* const record = stages + stage * shape::stage_bytes + 2 * shape::box_bytes;
    const auto* codes = reinterpret_cast<const uint4*>(record) + warp * 64 + lane;
    const char* scales = record + code_bytes + (warp * 8 + lane / 4) * (scale_bytes(F) / 128);
    const auto pair = grouped ? *reinterpret_cast<const std::uint32_t*>(scales) : 0U;
    const auto add = [&](float(&products)[Tokens / 2]) {
#pragma unroll
      for (unsigned half = 0; half < 2; ++half) {
        std::uint32_t a[4][4];
        unpack<F>(codes[32 * half], scales, half, a);
        const std::uint32_t box = boxes + half * shape::box_bytes;
        if constexpr (Tokens <= 16)
          add_by_warp<Tokens>(box, lane, a, reinterpret_cast<float(&)[Tokens / 8][4]>(products));
        else
          add_by_warpgroup<Tokens>(box, a, grouped && half == 0, products);
      }
      if (lane == 0) mbarrier_arrive(is_empty + 8 * stage);
    };
    if constexpr (grouped) {
      float group_sums[Tokens / 2];
      if constexpr (Tokens <= 16)
#pragma unroll
        for (auto& g : group_sums) g = 0;
      add(group_sums);
#pragma unroll
      for (unsigned i = 0; i < Tokens / 2; ++i) sums[i] += group_sums[i] * gpu::bf16_of(pair, i / 2 % 2);
    } else {
      add(sums);
    }
  }
  const unsigned row = blockIdx.x * static_cast<unsigned>(block_rows) + warp * 16 + lane / 4;
  const float scale = grouped ? 1 : after_fp4;
#pragma unroll
  for (unsigned i = 0; i < Tokens / 2; ++i) {
    const unsigned token = blockIdx.y * Tokens + i / 4 * 8 + lane % 4 * 2 + i % 2, r = row + i / 2 % 2 * 8;
    if (token < tokens && r < rows)
      target[std::size_t{token} * rows + r] = static_cast<std::uint16_t>(gpu::bf16x2(sums[i] * scale, 0.0F));
  }
#endif
}

}  // namespace ridge::experiments::ch09_w4a16_gemm
