// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <cuda.h>
#include <cuda_bf16.h>

#include <ridge/gpu/ptx/barrier.cuh>
#include <ridge/gpu/ptx/bulk_copy.cuh>
#include <ridge/gpu/ptx/cluster.cuh>
#include <ridge/gpu/ptx/fence.cuh>
#include <ridge/gpu/ptx/mbarrier.cuh>
#include <ridge/gpu/ptx/setmaxnreg.cuh>
#include <ridge/gpu/ptx/shared_address.cuh>
#include <ridge/gpu/ptx/wgmma.cuh>
#include <ridge/gpu/wgmma_descriptor.hpp>
#include <ridge/kernels/ring_place.hpp>
#include <ridge/kernels/tile_order.hpp>

// What both products of this experiment share (sm_90a). A stage of the ring holds the 128 terms of one scale,
// which are 128 bytes of each row. Tensor cores add these alone; their sums are then multiplied by the scales
// and added to totals in fp32 registers.
namespace ridge::experiments::ch09_fp8_blockscaled_gemm {

inline constexpr unsigned row_bytes = 128, consumers = 2, threads = 128 * (consumers + 1);
inline constexpr unsigned ring_alignment = 1024, most_shared_bytes = 232448;

// Scales of activations, `rows` a line, and of weights, `b_blocks` a line.
struct scale_lines {
  const float *a, *b;
  unsigned rows, b_blocks;
};

// c, m x n.
struct target_matrix {
  __nv_bfloat16* c;
  unsigned rows, columns;
};

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

// The products of 64 rows at `x` and 2 * Count rows at `y` over the terms of a stage; complete on return.
template <unsigned Count>
__device__ void multiply_block(std::uint32_t x, std::uint32_t y, float (&sums)[Count]) {
  gpu::ptx::wgmma_fence();
#pragma unroll
  for (unsigned part = 0; part < row_bytes / 32; ++part)
    gpu::ptx::wgmma_f32_e4m3(sums, gpu::wgmma_descriptor_128b_rows(x + 32 * part),
                             gpu::wgmma_descriptor_128b_rows(y + 32 * part), part == 0 ? 0 : 1);
  gpu::ptx::wgmma_commit_group();
  gpu::ptx::wgmma_wait_group<0>();
  gpu::ptx::wgmma_keep_order(sums);
}

#endif

// A ring's addresses in shared memory.
struct ring {
  std::uint32_t base, full, empty;
};

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

// Sets the barriers up; `blocks` blocks' consumers free a stage. The caller synchronizes.
template <class Tile>
__device__ ring make_ring(const void* dynamic, unsigned blocks) {
  const auto base = (gpu::ptx::shared_address(dynamic) + ring_alignment - 1) & ~(ring_alignment - 1);
  const auto full = base + Tile::stages * Tile::stage_bytes;
  const ring made{base, full, full + 8 * Tile::stages};
  if (threadIdx.x == 0) {
    for (unsigned stage = 0; stage < Tile::stages; ++stage) {
      gpu::ptx::mbarrier_init(made.full + 8 * stage, 1);
      gpu::ptx::mbarrier_init(made.empty + 8 * stage, consumers * blocks);
    }
    gpu::ptx::fence_mbarrier_init_release_cluster();
  }
  return made;
}

#endif

}  // namespace ridge::experiments::ch09_fp8_blockscaled_gemm
