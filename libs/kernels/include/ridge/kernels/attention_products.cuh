// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <ridge/gpu/ptx/matrix.cuh>
#include <ridge/gpu/ptx/wgmma.cuh>
#include <ridge/gpu/wgmma_descriptor.hpp>
#include <ridge/kernels/online_softmax.cuh>

// The products of attention by a warpgroup (sm_90a), on boxes in shared memory whose rows have 64 columns,
// 128 bytes, and the swizzle of 128 bytes. Boxes of one operand follow one another.
namespace ridge::kernels {

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

// scores = q kᵀ of 64 queries and Keys keys in shared memory, asynchronously.
template <unsigned Width, unsigned Keys>
__device__ void multiply_keys(float (&scores)[Keys / 2], std::uint32_t queries, std::uint32_t keys) {
  const auto q = gpu::wgmma_descriptor_128b_rows(queries), k = gpu::wgmma_descriptor_128b_rows(keys);
  gpu::ptx::wgmma_fence();
#pragma unroll
  for (unsigned step = 0; step < Width / 16; ++step) {
    const unsigned box = step / 4, part = step % 4 * 2;  // descriptors count 16 bytes
    gpu::ptx::wgmma_f32_bf16(scores, q + box * (64 * 128 / 16) + part, k + box * (Keys * 128 / 16) + part,
                             step != 0);
  }
  gpu::ptx::wgmma_commit_group();
}

// sums += weights v of Keys values in shared memory, asynchronously.
template <unsigned Keys, unsigned Width>
__device__ void multiply_values(float (&sums)[Width], const std::uint32_t (&weights)[Keys / 16][4],
                                std::uint32_t values) {
  const auto v = gpu::wgmma_descriptor(values, Keys * 128, 1024, gpu::wgmma_swizzle::bytes_128);
  gpu::ptx::wgmma_fence();
#pragma unroll
  for (unsigned step = 0; step < Keys / 16; ++step)
    gpu::ptx::wgmma_f32_bf16_columns(sums, weights[step], v + step * (16 * 128 / 16), 1);
  gpu::ptx::wgmma_commit_group();
}

// Writes a warpgroup's sums, each row times its factor, as bf16 to boxes of 64 rows in shared memory.
template <unsigned Count>
__device__ void store_rows(const float (&sums)[Count], const float (&factors)[2], std::uint32_t boxes) {
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32 % 4;
  const unsigned row = 16 * warp + lane % 16, part = lane / 16;
#pragma unroll
  for (unsigned k = 0; k < Count / 8; ++k) {
    std::uint32_t words[4];
#pragma unroll
    for (unsigned pair = 0; pair < 4; ++pair) {
      const unsigned i = 8 * k + 2 * pair;
      words[pair] = bf16_pair(sums[i] * factors[pair % 2], sums[i + 1] * factors[pair % 2]);
    }
    gpu::ptx::stmatrix_x4(boxes + k / 4 * (64 * 128) + gpu::swizzled_128b_offset(row, k % 4 * 2 + part),
                          words[0], words[1], words[2], words[3]);
  }
}

#endif

}  // namespace ridge::kernels
