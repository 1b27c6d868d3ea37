// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>

#include <cuda_fp8.h>

#include <ridge/gpu/check.hpp>
#include <ridge/gpu/kernel_launch.hpp>
#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/tensor_map.hpp>
#include <ridge/harness/counting.hpp>

#include "fp8_blockscaled_gemm.hpp"
#include "scaled_product.cuh"
#include "split_product.cuh"

namespace ridge::experiments::ch09_fp8_blockscaled_gemm {
namespace {

constexpr unsigned banded = 4;

using tall_tile = scaled_tile<2, 4, 2>;
using short_tile = scaled_tile<1, 6, 1>;
using few_tokens = split_tile<5>;

CUtensorMap map_of(std::span<const e4m3> operand, std::int64_t rows, const workload& w, unsigned box_rows) {
  return gpu::make_tensor_map({.data = operand.data(),
                               .type = CU_TENSOR_MAP_DATA_TYPE_UINT8,
                               .rows = as_count(rows),
                               .columns = as_count(w.k),
                               .row_bytes = as_count(w.pitch),
                               .box_rows = box_rows,
                               .box_columns = row_bytes,
                               .swizzle = CU_TENSOR_MAP_SWIZZLE_128B});
}

unsigned tiles(std::int64_t extent, unsigned each) { return gpu::blocks_for(as_count(extent), each); }

scale_lines scales_of(const workload& w) {
  return {w.a_scales.data(), w.b_scales.data(), static_cast<unsigned>(w.m),
          static_cast<unsigned>(w.b_blocks)};
}

target_matrix target_of(const workload& w) {
  return {reinterpret_cast<__nv_bfloat16*>(w.c.data()), static_cast<unsigned>(w.m),
          static_cast<unsigned>(w.n)};
}

template <class Tile>
enqueued with(const workload& w) {
  constexpr auto kernel = scaled_product<Tile>;
  gpu::allow_dynamic_shared_memory(reinterpret_cast<const void*>(kernel), Tile::shared_bytes);
  const kernels::whole_tiles schedule{
      {tiles(w.m, Tile::rows), tiles(w.n, Tile::columns * Tile::across), banded}, tiles(w.k, row_bytes)};
  const auto a = map_of(w.a, w.m, w, Tile::rows / Tile::across), b = map_of(w.b, w.n, w, Tile::columns);
  const unsigned clusters = std::min(schedule.order.tiles(), gpu::multiprocessors() / Tile::across);
  return [=, scales = scales_of(w), target = target_of(w)](stream queue) {
    auto launch = gpu::kernel_launch(clusters * Tile::across, threads, queue, Tile::shared_bytes);
    if constexpr (Tile::across > 1) launch.cluster(Tile::across);
    gpu::check(cudaLaunchKernelEx(launch.config(), kernel, a, b, scales, target, schedule),
               "launch of scaled_product");
  };
}

__global__ void __launch_bounds__(256)
    widen_operand(const __nv_fp8_e4m3* codes, const float* scales, __nv_bfloat16* wide, unsigned pitch,
                  unsigned block_rows, unsigned row_stride, unsigned block_stride) {
  const std::size_t row = blockIdx.x;
  for (unsigned i = threadIdx.x; i < pitch; i += 256) {
    const float scale = scales[row / block_rows * row_stride + std::size_t{i} / row_bytes * block_stride];
    wide[row * pitch + i] = __float2bfloat16_rn(static_cast<float>(codes[row * pitch + i]) * scale);
  }
}

void widen_into(std::span<bf16> wide, std::span<const e4m3> codes, const float* scales, std::int64_t pitch,
                unsigned block_rows, std::int64_t row_stride, std::int64_t block_stride, stream queue) {
  if (wide.empty()) return;
  const auto rows = static_cast<unsigned>(wide.size() / as_count(pitch));
  gpu::launch(widen_operand, {rows, 256, 0, queue}, reinterpret_cast<const __nv_fp8_e4m3*>(codes.data()),
              scales, reinterpret_cast<__nv_bfloat16*>(wide.data()), static_cast<unsigned>(pitch), block_rows,
              static_cast<unsigned>(row_stride), static_cast<unsigned>(block_stride));
}

}  // namespace

std::size_t partial_floats() { return std::size_t{2} * gpu::multiprocessors() * few_tokens::floats_a_slot; }

std::size_t tiles_of(const workload& w) {
  return std::size_t{tiles(w.n, few_tokens::weights)} * tiles(w.m, few_tokens::tokens);
}

enqueued planned_scaled(const workload& w) {
  return w.m > short_tile::rows ? with<tall_tile>(w) : with<short_tile>(w);
}

enqueued planned_split(const workload& w, const split_workspace& own) {
  constexpr auto kernel = split_product<few_tokens>;
  gpu::allow_dynamic_shared_memory(reinterpret_cast<const void*>(kernel), few_tokens::shared_bytes);
  const kernels::tile_order order{tiles(w.n, few_tokens::weights), tiles(w.m, few_tokens::tokens), 1};
  const kernels::equal_runs schedule{order, tiles(w.k, row_bytes), order.tiles()};
  const auto a = map_of(w.a, w.m, w, few_tokens::tokens), b = map_of(w.b, w.n, w, few_tokens::weights);
  const left_sums left{reinterpret_cast<float4*>(own.sums.data()), own.finished.data()};
  const unsigned blocks = std::min(order.tiles() * schedule.steps, gpu::multiprocessors());
  return [=, scales = scales_of(w), target = target_of(w)](stream queue) {
    gpu::launch(kernel, {blocks, threads, few_tokens::shared_bytes, queue}, a, b, scales, target, schedule,
                left);
  };
}

void widen(const workload& w, stream queue) {
  widen_into(w.own.a, w.a, w.a_scales.data(), w.pitch, 1, 1, w.m, queue);
  widen_into(w.own.b, w.b, w.b_scales.data(), w.pitch, row_bytes, w.b_blocks, 1, queue);
}

}  // namespace ridge::experiments::ch09_fp8_blockscaled_gemm
