// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>

#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/ptx/bulk_copy.cuh>
#include <ridge/gpu/ptx/fence.cuh>
#include <ridge/gpu/ptx/mbarrier.cuh>
#include <ridge/gpu/ptx/shared_address.cuh>
#include <ridge/gpu/quads.hpp>
#include <ridge/gpu/tensor_map.hpp>
#include <ridge/gpu/wgmma_descriptor.hpp>

#include "transpose.hpp"

namespace ridge::experiments::ch07_transpose {
namespace {

constexpr unsigned warp_lanes = 32;
constexpr unsigned warps = 8;
constexpr unsigned threads = warps * warp_lanes;
constexpr unsigned tile = 64;  // elements on a side
constexpr unsigned tile_quads = tile / 4;
constexpr unsigned quad_threads = 128;  // each turns two squares of 4 x 4
constexpr unsigned quad_rows = quad_threads / tile_quads;
constexpr unsigned box_columns = 32;  // 128 bytes, the longest row that a swizzle permutes
constexpr unsigned box_bytes = tile * box_columns * sizeof(float);

__global__ void __launch_bounds__(threads)
    transpose_naive(const float* source, float* target, std::size_t rows, std::size_t columns) {
  const std::size_t x = blockIdx.x * std::size_t{warp_lanes} + threadIdx.x;
  const std::size_t y = blockIdx.y * std::size_t{warps} + threadIdx.y;
  if (x < columns && y < rows) target[x * rows + y] = source[y * columns + x];
}

__global__ void __launch_bounds__(threads)
    transpose_padded(const float* source, float* target, std::size_t rows, std::size_t columns) {
  // One more column puts the elements of a column into different banks.
  __shared__ float block[warp_lanes][warp_lanes + 1];
  const std::size_t left = blockIdx.x * std::size_t{warp_lanes}, top = blockIdx.y * std::size_t{warp_lanes};
  const bool read_column = left + threadIdx.x < columns, written_column = top + threadIdx.x < rows;
  // `&` instead of `&&`: loads under one predicate are begun together, those behind a branch are not.
#pragma unroll
  for (unsigned k = 0; k < warp_lanes; k += warps)
    if (read_column & (top + threadIdx.y + k < rows))
      block[threadIdx.y + k][threadIdx.x] = source[(top + threadIdx.y + k) * columns + left + threadIdx.x];
  __syncthreads();
#pragma unroll
  for (unsigned k = 0; k < warp_lanes; k += warps)
    if (written_column & (left + threadIdx.y + k < columns))
      target[(left + threadIdx.y + k) * rows + top + threadIdx.x] = block[threadIdx.x][threadIdx.y + k];
}

// 4 x 4 elements, a quad a row.
struct square {
  float4 row[4];
};

__device__ square transposed(const square& s) {
  const auto& r = s.row;
  return {{{r[0].x, r[1].x, r[2].x, r[3].x},
           {r[0].y, r[1].y, r[2].y, r[3].y},
           {r[0].z, r[1].z, r[2].z, r[3].z},
           {r[0].w, r[1].w, r[2].w, r[3].w}}};
}

// Rows and columns are multiples of four: a square lies in the matrix or beyond it.
__global__ void __launch_bounds__(quad_threads)
    transpose_quads(const float* source, float* target, std::size_t rows, std::size_t columns) {
  // Quad q of row r lies at q ^ (r / 4 % 8), so that eight lanes that write quads of eight rows, or read a
  // row, use all banks.
  __shared__ float4 turned[tile][tile_quads];
  const std::size_t left = blockIdx.x * std::size_t{tile}, top = blockIdx.y * std::size_t{tile};
  const unsigned across = threadIdx.x % tile_quads, down = threadIdx.x / tile_quads;
  square squares[tile_quads / quad_rows];
  const auto inside = [&](unsigned row_quad) {
    return top + 4 * row_quad < rows && left + 4 * across < columns;
  };
#pragma unroll
  for (unsigned i = 0; i < tile_quads / quad_rows; ++i) {
    const unsigned row_quad = down + i * quad_rows;
    if (!inside(row_quad)) continue;
    const float* corner = source + (top + 4 * row_quad) * columns + left + 4 * across;
#pragma unroll
    for (unsigned k = 0; k < 4; ++k)
      squares[i].row[k] = __ldg(reinterpret_cast<const float4*>(corner + k * columns));
  }
#pragma unroll
  for (unsigned i = 0; i < tile_quads / quad_rows; ++i) {
    const square s = transposed(squares[i]);
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) turned[4 * across + k][(down + i * quad_rows) ^ (across % 8)] = s.row[k];
  }
  __syncthreads();
  if (top + 4 * across >= rows) return;
#pragma unroll
  for (unsigned k = 0; k < tile; k += quad_rows) {
    const unsigned r = down + k;
    if (left + r < columns)
      *reinterpret_cast<float4*>(target + (left + r) * rows + top + 4 * across) =
          turned[r][across ^ (r / 4 % 8)];
  }
}

// A tile is two boxes of 64 rows of 128 bytes, swizzled by the copy: in the source and, turned in place, in
// the target. The eight lanes of a quarter warp take squares of different rows and columns, which makes reads
// and writes free of bank conflicts.
__global__ void __launch_bounds__(threads)
    transpose_tensor_tiles([[maybe_unused]] const __grid_constant__ CUtensorMap source,
                           [[maybe_unused]] const __grid_constant__ CUtensorMap target) {
#if __CUDA_ARCH__ >= 900
  namespace ptx = gpu::ptx;
  __shared__ alignas(1024) std::byte boxes[2 * box_bytes];
  __shared__ std::uint64_t barrier;
  const int x = static_cast<int>(blockIdx.y * tile), y = static_cast<int>(blockIdx.x * tile);
  const auto shared = ptx::shared_address(boxes), arrived = ptx::shared_address(&barrier);
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(arrived, 1);
    ptx::fence_mbarrier_init_release_cluster();
    ptx::mbarrier_arrive_expect_tx(arrived, 2 * box_bytes);
    ptx::cp_async_bulk_tensor_2d_shared_global(shared, &source, x, y, arrived);
    ptx::cp_async_bulk_tensor_2d_shared_global(shared + box_bytes, &source, x + 32, y, arrived);
  }
  __syncthreads();
  const unsigned across = threadIdx.x % 8, down = across ^ (threadIdx.x / 8 % 8);
  const unsigned box = threadIdx.x / 64 % 2, half = threadIdx.x / 128;  // of the columns, of the rows
  const auto quad = [&](unsigned in_box, unsigned row, unsigned part) -> float4& {
    return *reinterpret_cast<float4*>(boxes + in_box * box_bytes + gpu::swizzled_128b_offset(row, part));
  };
  square s;
  ptx::mbarrier_wait_parity(arrived, 0);
#pragma unroll
  for (unsigned k = 0; k < 4; ++k) s.row[k] = quad(box, half * 32 + 4 * down + k, across);
  __syncthreads();
  s = transposed(s);
#pragma unroll
  for (unsigned k = 0; k < 4; ++k) quad(half, box * 32 + 4 * across + k, down) = s.row[k];
  ptx::fence_proxy_async_shared_cta();
  __syncthreads();
  if (threadIdx.x != 0) return;
  ptx::cp_async_bulk_tensor_2d_global_shared(&target, y, x, shared);
  ptx::cp_async_bulk_tensor_2d_global_shared(&target, y + 32, x, shared + box_bytes);
  ptx::cp_async_bulk_commit_group();
  ptx::cp_async_bulk_wait_group_read<0>();
#endif
}

bool in_quads(const workload& w) {
  return w.rows % 4 == 0 && w.columns % 4 == 0 && gpu::on_16_bytes(w.source.data(), w.target.data());
}

gpu::matrix_boxes boxes_of(const float* data, std::size_t rows, std::size_t columns) {
  return {.data = data,
          .rows = rows,
          .columns = columns,
          .row_bytes = columns * sizeof(float),
          .box_rows = tile,
          .box_columns = box_columns,
          .swizzle = CU_TENSOR_MAP_SWIZZLE_128B};
}

}  // namespace

void launch_naive(const workload& w, stream queue) {
  if (w.source.empty()) return;
  const dim3 grid(gpu::blocks_for(w.columns, warp_lanes), gpu::blocks_for(w.rows, warps));
  gpu::launch(transpose_naive, {grid, dim3(warp_lanes, warps), 0, queue}, w.source.data(), w.target.data(),
              w.rows, w.columns);
}

void launch_padded(const workload& w, stream queue) {
  if (w.source.empty()) return;
  const dim3 grid(gpu::blocks_for(w.columns, warp_lanes), gpu::blocks_for(w.rows, warp_lanes));
  gpu::launch(transpose_padded, {grid, dim3(warp_lanes, warps), 0, queue}, w.source.data(), w.target.data(),
              w.rows, w.columns);
}

void launch_quads(const workload& w, stream queue) {
  if (!in_quads(w) || w.source.empty()) return launch_padded(w, queue);
  const dim3 grid(gpu::blocks_for(w.columns, tile), gpu::blocks_for(w.rows, tile));
  gpu::launch(transpose_quads, {grid, quad_threads, 0, queue}, w.source.data(), w.target.data(), w.rows,
              w.columns);
}

// Blocks that start together lie below one another: they write whole rows of the target.
void launch_tensor_tiles(const workload& w, stream queue) {
  if (!in_quads(w) || w.source.empty()) return launch_padded(w, queue);
  const dim3 grid(gpu::blocks_for(w.rows, tile), gpu::blocks_for(w.columns, tile));
  gpu::launch(transpose_tensor_tiles, {grid, threads, 0, queue},
              gpu::make_tensor_map(boxes_of(w.source.data(), w.rows, w.columns)),
              gpu::make_tensor_map(boxes_of(w.target.data(), w.columns, w.rows)));
}

}  // namespace ridge::experiments::ch07_transpose
