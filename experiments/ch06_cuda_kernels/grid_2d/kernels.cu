// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>

#include <ridge/gpu/launch.cuh>

#include "grid_2d.hpp"

namespace ridge::experiments::ch06_grid_2d {
namespace {

constexpr unsigned threads = 256, side = 16, warp = 32;
constexpr unsigned rows_of_thread = 4;
// The grid's y and z extents end here; what has more rows of blocks than that takes several steps.
constexpr unsigned most_blocks_y = 65535;

struct matrices {
  const float* source;
  const float* scale;
  float* target;
  std::size_t rows, columns;
};

// x walks down a column, so neighbouring lanes are a row apart.
__global__ void __launch_bounds__(threads) scale_down_columns(matrices m) {
  const std::size_t row = blockIdx.x * std::size_t{side} + threadIdx.x;
  for (std::size_t column = blockIdx.y * std::size_t{side} + threadIdx.y; column < m.columns && row < m.rows;
       column += gridDim.y * std::size_t{side}) {
    m.target[row * m.columns + column] = m.scale[row] * m.source[row * m.columns + column];
  }
}

// x walks along a row, so neighbouring lanes are an element apart. A block is X columns wide.
template <unsigned X>
__global__ void __launch_bounds__(threads) scale_along_rows(matrices m) {
  constexpr unsigned y = threads / X;
  const std::size_t column = blockIdx.x * std::size_t{X} + threadIdx.x;
  for (std::size_t row = blockIdx.y * std::size_t{y} + threadIdx.y; row < m.rows && column < m.columns;
       row += gridDim.y * std::size_t{y}) {
    m.target[row * m.columns + column] = m.scale[row] * m.source[row * m.columns + column];
  }
}

// A thread takes four columns of four rows; all loads are on the way before the first store.
__global__ void __launch_bounds__(threads) scale_vectors(matrices m) {
  constexpr unsigned y = threads / warp;
  const std::size_t quads = m.columns / 4, quad = blockIdx.x * std::size_t{warp} + threadIdx.x;
  const auto* source = reinterpret_cast<const float4*>(m.source);
  auto* target = reinterpret_cast<float4*>(m.target);
  if (quad >= quads) return;
  for (std::size_t row = blockIdx.y * std::size_t{y * rows_of_thread} + threadIdx.y; row < m.rows;
       row += gridDim.y * std::size_t{y * rows_of_thread}) {
    float4 v[rows_of_thread];
    float by[rows_of_thread];
#pragma unroll
    for (unsigned u = 0; u < rows_of_thread; ++u) {
      if (row + u * y >= m.rows) break;
      v[u] = __ldcs(source + (row + u * y) * quads + quad);
      by[u] = m.scale[row + u * y];
    }
#pragma unroll
    for (unsigned u = 0; u < rows_of_thread; ++u) {
      if (row + u * y >= m.rows) break;
      const float4 scaled = {by[u] * v[u].x, by[u] * v[u].y, by[u] * v[u].z, by[u] * v[u].w};
      __stcs(target + (row + u * y) * quads + quad, scaled);
    }
  }
}

// Blocks of x by y threads, of which each thread takes `rows` rows or columns along y.
void launch_2d(void (*kernel)(matrices), const workload& w, dim3 extent, dim3 block, unsigned along_y,
               stream queue) {
  if (w.source.empty()) return;
  const dim3 grid(gpu::blocks_for(extent.x, block.x),
                  std::min(gpu::blocks_for(extent.y, block.y * along_y), most_blocks_y));
  gpu::launch(kernel, {grid, block, 0, queue},
              matrices{w.source.data(), w.scale.data(), w.target.data(), w.rows, w.columns});
}

bool at_boundary(const float* address) {
  return reinterpret_cast<std::uintptr_t>(address) % sizeof(float4) == 0;
}

}  // namespace

void launch_down_columns(const workload& w, stream queue) {
  launch_2d(scale_down_columns, w, {as_unsigned(w.rows), as_unsigned(w.columns)}, {side, side}, 1, queue);
}

void launch_square_blocks(const workload& w, stream queue) {
  launch_2d(scale_along_rows<side>, w, {as_unsigned(w.columns), as_unsigned(w.rows)}, {side, side}, 1, queue);
}

void launch_warp_rows(const workload& w, stream queue) {
  launch_2d(scale_along_rows<warp>, w, {as_unsigned(w.columns), as_unsigned(w.rows)}, {warp, threads / warp},
            1, queue);
}

void launch_vectors(const workload& w, stream queue) {
  if (w.columns % 4 != 0 || !at_boundary(w.source.data()) || !at_boundary(w.target.data())) {
    return launch_warp_rows(w, queue);
  }
  launch_2d(scale_vectors, w, {as_unsigned(w.columns / 4), as_unsigned(w.rows)}, {warp, threads / warp},
            rows_of_thread, queue);
}

}  // namespace ridge::experiments::ch06_grid_2d
