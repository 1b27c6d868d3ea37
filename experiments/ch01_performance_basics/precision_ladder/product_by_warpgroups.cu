// SPDX-License-Identifier: Apache-2.0
#include <ridge/gpu/ptx/fence.cuh>
#include <ridge/gpu/ptx/wgmma.cuh>

#include "tiles.cuh"

namespace ridge::experiments::ch01_precision_ladder {
namespace {

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

// Adds the product of 64 rows of a and 128 rows of b, one step of 32 bytes.
__device__ void add_product(bf16_bits, float (&d)[64], std::uint64_t a, std::uint64_t b, int scale_d) {
  gpu::ptx::wgmma_m64n128k16_f32_bf16(d, a, b, scale_d);
}

__device__ void add_product(e4m3_bits, float (&d)[64], std::uint64_t a, std::uint64_t b, int scale_d) {
  gpu::ptx::wgmma_m64n128k32_f32_e4m3(d, a, b, scale_d);
}

template <class Type>
__device__ void multiply_stage(unsigned stage, int scale_d, float (&upper)[64], float (&lower)[64]) {
  gpu::ptx::wgmma_fence();
#pragma unroll
  for (unsigned step = 0; step < row_bytes / 32; ++step) {
    const unsigned at = stage + 32U * step;
    const auto b = gpu::wgmma_descriptor_128b_rows(at + operand_bytes);
    add_product(Type{}, upper, gpu::wgmma_descriptor_128b_rows(at), b, step > 0 ? 1 : scale_d);
    add_product(Type{}, lower, gpu::wgmma_descriptor_128b_rows(at + operand_bytes / 2), b,
                step > 0 ? 1 : scale_d);
  }
  gpu::ptx::wgmma_commit_group();
  gpu::ptx::wgmma_wait_group<0>();
}

// Warp w holds rows 16 w .. 16 w + 15 of its 64.
__device__ void store(const tile_problem& problem, tile_place place, const float (&sum)[64]) {
  const int lane = thread_index() % 32, warp = thread_index() / 32;
  const float scale = scale_of_sums(problem);
  const std::int64_t row = place.row + 16 * warp + lane / 4;
#pragma unroll
  for (int j = 0; j < 16; ++j) {
    const std::int64_t column = place.column + 8 * j + lane % 4 * 2;
    store_two(problem, row, column, scale * sum[4 * j], scale * sum[4 * j + 1]);
    store_two(problem, row + 8, column, scale * sum[4 * j + 2], scale * sum[4 * j + 3]);
  }
}

#endif

template <class Type>
__global__ void __launch_bounds__(tile_threads, 2)
    tiles_by_warpgroups([[maybe_unused]] const tile_problem problem) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ std::byte dynamic[];
  const unsigned ring = aligned_ring(dynamic);
  const auto at = place_of_block(problem);
  const int steps = steps_of(problem);
  float upper[64], lower[64];
  for (int s = 0; s < stages - 1; ++s) begin_stage(problem, at, ring, s);
  for (int s = 0; s < steps; ++s) {
    wait_for_oldest_stage();
    gpu::ptx::fence_proxy_async_shared_cta();  // what cp.async wrote becomes visible to wgmma
    __syncthreads();
    begin_stage(problem, at, ring, s + stages - 1);
    multiply_stage<Type>(stage_in(ring, s), s, upper, lower);
  }
  store(problem, at, upper);
  store(problem, {at.row + tile / 2, at.column}, lower);
#endif
}

}  // namespace

template <class Type>
void product_by_warpgroups(const workload& w, const padded_operands& operands, stream queue) {
  launch_tiles(tiles_by_warpgroups<Type>, w, operands, queue);
}

template void product_by_warpgroups<bf16_bits>(const workload&, const padded_operands&, stream);
template void product_by_warpgroups<e4m3_bits>(const workload&, const padded_operands&, stream);

}  // namespace ridge::experiments::ch01_precision_ladder
