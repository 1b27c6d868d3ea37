// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <cuda.h>

#include <ridge/gpu/ptx/bulk_copy.cuh>
#include <ridge/gpu/ptx/fence.cuh>
#include <ridge/gpu/ptx/matrix.cuh>
#include <ridge/gpu/ptx/mbarrier.cuh>
#include <ridge/gpu/ptx/shared_address.cuh>
#include <ridge/gpu/ptx/wgmma.cuh>
#include <ridge/gpu/ptx/wgmma_narrow.cuh>
#include <ridge/gpu/wgmma_descriptor.hpp>

#include "unpack.cuh"

// The product of activations and packed weights by wgmma: weights are its first operand, from registers,
// where they are unpacked; up to 64 tokens are the columns of its second one, from shared memory.
namespace ridge::experiments::ch09_w4a16_gemm {

inline constexpr unsigned product_threads = 512;  // four warpgroups of 64 rows

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

// One warp's share of a stage: the lane's codes of 128 terms, and its rows' scales.
struct lane_codes {
  uint4 first, second;  // of 64 terms each
  __device__ std::uint32_t word(unsigned i) const {
    const uint4& q = i < 4 ? first : second;
    return i % 4 == 0 ? q.x : i % 4 == 1 ? q.y : i % 4 == 2 ? q.z : q.w;
  }
};

template <format F>
__device__ void unpack(const lane_codes& codes, const char* scales, std::uint32_t (&a)[8][4]) {
  if constexpr (F == format::int4) {
#pragma unroll
    for (unsigned i = 0; i < 8; ++i) unpack_int4(codes.word(i), a[i]);
  } else {
    constexpr unsigned count = 128 / terms_a_scale(F), words = count / 2;  // two scales of two rows a word
    std::uint32_t pairs[words];
#pragma unroll
    for (unsigned i = 0; i < words; ++i) pairs[i] = reinterpret_cast<const std::uint32_t*>(scales)[i];
#pragma unroll
    for (unsigned i = 0; i < 8; ++i) {
      const unsigned s = i * count / 8;
      const std::uint32_t pair = pairs[s / 2] >> (16 * (s % 2));
      unpack_fp4(codes.word(i), F == format::nvfp4 ? nvfp4_scales(pair) : mxfp4_scales(pair), a[i]);
    }
  }
}

__device__ inline void named_sync(unsigned barrier, unsigned count) {
  asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(count) : "memory");
}
__device__ inline void named_arrive(unsigned barrier, unsigned count) {
  asm volatile("bar.arrive %0, %1;" ::"r"(barrier), "r"(count) : "memory");
}

template <unsigned Tokens>
__device__ void add_by_warp(std::uint32_t boxes, unsigned lane, const std::uint32_t (&a)[8][4],
                            float (&sums)[Tokens / 2]) {
#pragma unroll
  for (unsigned i = 0; i < 8; i += 2) {
#pragma unroll
    for (unsigned t = 0; t < Tokens / 8; ++t) {
      std::uint32_t b[2][2];
      const std::uint32_t rows = boxes + i / 4 * Tokens * 128 + t * 1024;
      gpu::ptx::ldmatrix_x4(rows + gpu::swizzled_128b_offset(lane % 8, i % 4 * 2 + lane / 8), b[0][0],
                            b[0][1], b[1][0], b[1][1]);
      float(&four)[4] = *reinterpret_cast<float(*)[4]>(sums + 4 * t);
      gpu::ptx::mma_m16n8k16_f32_bf16(four, a[i], b[0]);
      gpu::ptx::mma_m16n8k16_f32_bf16(four, a[i + 1], b[1]);
    }
  }
}

#endif

// Block b of the grid makes rows 256 b ... of the product, for tokens of the map's box at blockIdx.y.
// target[token * rows + row].
template <format F, unsigned Tokens, unsigned Stages, int ORDER = 0>
__global__ void __launch_bounds__(product_threads, 1)
    packed_product([[maybe_unused]] const __grid_constant__ CUtensorMap activations,
                   [[maybe_unused]] const char* packed, [[maybe_unused]] std::uint16_t* target,
                   [[maybe_unused]] unsigned tokens, [[maybe_unused]] unsigned rows,
                   [[maybe_unused]] unsigned blocks) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  using namespace gpu::ptx;
  using shape = ring<F, Tokens, Stages>;
  constexpr bool by_warps = Tokens <= 16;
  constexpr bool grouped = F == format::int4;  // sums of a scale's terms are scaled, not each weight
  extern __shared__ char shared[];
  __shared__ __align__(8) std::uint64_t full[Stages], empty[Stages];
  char* const stages = shared + (1024 - shared_address(shared) % 1024) % 1024;
  const std::uint32_t base = shared_address(stages), is_full = shared_address(full),
                      is_empty = shared_address(empty);
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  packed += std::size_t{blockIdx.x} * blocks * record_bytes(F);

  const auto fetch = [&](unsigned block) {
    const unsigned stage = block % Stages;
    const std::uint32_t place = base + stage * shape::stage_bytes, barrier = is_full + 8 * stage;
    mbarrier_arrive_expect_tx(barrier, shape::loaded_bytes);
    const int term = static_cast<int>(block * block_terms), token = static_cast<int>(blockIdx.y * Tokens);
    cp_async_bulk_tensor_2d_shared_global(place, &activations, term, token, barrier);
    cp_async_bulk_tensor_2d_shared_global(place + shape::box_bytes, &activations, term + 64, token, barrier);
    cp_async_bulk_shared_global(place + 2 * shape::box_bytes, packed + std::size_t{block} * record_bytes(F),
                                record_bytes(F), barrier);
  };
  if (threadIdx.x == 0) {
    for (unsigned s = 0; s < Stages; ++s) {
      mbarrier_init(is_full + 8 * s, 1);
      mbarrier_init(is_empty + 8 * s, product_threads / 32);
    }
    fence_mbarrier_init_release_cluster();
    for (unsigned s = 0; s < Stages && s < blocks; ++s) fetch(s);
  }
  __syncthreads();
  if constexpr (!by_warps)
    if (ORDER && warp / 4 == 3) named_arrive(1, 256);

  float sums[Tokens / 2] = {}, group[grouped ? Tokens / 2 : 1] = {};
  const unsigned warpgroup = warp / 4;
  for (unsigned block = 0; block < blocks; ++block) {
    const unsigned stage = block % Stages, turn = block / Stages;
    wait_parity(is_full + 8 * stage, turn & 1U);
    const char* const record = stages + stage * shape::stage_bytes + 2 * shape::box_bytes;
    const auto* codes = reinterpret_cast<const uint4*>(record) + warp * 64 + lane;
    const char* scales = record + code_bytes + (warp * 8 + lane / 4) * (scale_bytes(F) / 128);
    std::uint32_t a[8][4];
    unpack<F>({codes[0], codes[32]}, scales, a);
    const auto pair = grouped ? *reinterpret_cast<const std::uint32_t*>(scales) : 0U;
    const std::uint32_t boxes = base + stage * shape::stage_bytes;
    float(&products)[Tokens / 2] = *reinterpret_cast<float(*)[Tokens / 2]>(grouped ? group : sums);
    if constexpr (by_warps) {
      if constexpr (grouped)
#pragma unroll
        for (auto& g : group) g = 0;
      add_by_warp<Tokens>(boxes, lane, a, products);
    } else {
      if (ORDER) named_sync(1 + warpgroup, 256);
      wgmma_fence();
#pragma unroll
      for (unsigned i = 0; i < 8; ++i) {
        const auto b = gpu::wgmma_descriptor_128b_rows(boxes + i / 4 * shape::box_bytes) + i % 4 * 2;
        wgmma_f32_bf16(products, a[i], b, grouped ? i != 0 : 1);
        if (ORDER == 1 && i == 3) wgmma_commit_group();
      }
      wgmma_commit_group();
      if (ORDER == 1) {
        wgmma_wait_group<1>();
        named_arrive(1 + (warpgroup + 1) % 4, 256);
      }
      if (ORDER == 3) {
        named_arrive(1 + (warpgroup + 1) % 4, 256);
      }
    }
    // Refills the stage of the block before, which the other warps have just left or are about to leave.
    if (threadIdx.x == 0 && block > 0 && block - 1 + Stages < blocks) {
      wait_parity(is_empty + 8 * ((block - 1) % Stages), (block - 1) / Stages & 1U);
      fetch(block - 1 + Stages);
    }
    __syncwarp();
    if constexpr (!by_warps) {
      wgmma_wait_group<0>();
      if (ORDER == 2) named_arrive(1 + (warpgroup + 1) % 4, 256);
    }
    if (lane == 0) mbarrier_arrive(is_empty + 8 * stage);
    if constexpr (grouped) {
#pragma unroll
      for (unsigned i = 0; i < Tokens / 2; ++i) sums[i] += group[i] * gpu::bf16_of(pair, i / 2 % 2);
    }
  }
  if constexpr (!by_warps)
    if (ORDER && warpgroup == 0) named_sync(1, 256);
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
