// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/quads.hpp>

#include "grid_2d.hpp"

namespace ridge::experiments::ch06_grid_2d {
namespace {

constexpr unsigned threads = 256, side = 16, warp = 32;
// Blocks of 4 KiB of each of four rows.
constexpr unsigned vector_x = 256, vector_y = 4;
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

// A thread takes four columns of a row.
__global__ void __launch_bounds__(vector_x* vector_y) scale_vectors(matrices m) {
  const std::size_t quads = m.columns / 4, quad = blockIdx.x * std::size_t{vector_x} + threadIdx.x;
  const auto* source = reinterpret_cast<const float4*>(m.source);
  auto* target = reinterpret_cast<float4*>(m.target);
  for (std::size_t row = blockIdx.y * std::size_t{vector_y} + threadIdx.y; row < m.rows && quad < quads;
       row += gridDim.y * std::size_t{vector_y}) {
    const float4 v = source[row * quads + quad];
    const float by = m.scale[row];
    target[row * quads + quad] = {by * v.x, by * v.y, by * v.z, by * v.w};
  }
}

// Launches a kernel with a thread for each point of `extent`, in blocks of `block` threads.
void launch_2d(void (*kernel)(matrices), const workload& w, dim3 extent, dim3 block, stream queue) {
  if (w.source.empty()) return;
  const dim3 grid(gpu::blocks_for(extent.x, block.x),
                  std::min(gpu::blocks_for(extent.y, block.y), most_blocks_y));
  gpu::launch(kernel, {grid, block, 0, queue},
              matrices{w.source.data(), w.scale.data(), w.target.data(), w.rows, w.columns});
}

}  // namespace

void launch_down_columns(const workload& w, stream queue) {
  launch_2d(scale_down_columns, w, {as_unsigned(w.rows), as_unsigned(w.columns)}, {side, side}, queue);
}

void launch_square_blocks(const workload& w, stream queue) {
  launch_2d(scale_along_rows<side>, w, {as_unsigned(w.columns), as_unsigned(w.rows)}, {side, side}, queue);
}

void launch_warp_rows(const workload& w, stream queue) {
  launch_2d(scale_along_rows<warp>, w, {as_unsigned(w.columns), as_unsigned(w.rows)}, {warp, threads / warp},
            queue);
}

void launch_vectors(const workload& w, stream queue) {
  if (w.columns % 4 != 0 || !gpu::on_16_bytes(w.source.data(), w.target.data()))
    return launch_warp_rows(w, queue);
  launch_2d(scale_vectors, w, {as_unsigned(w.columns / 4), as_unsigned(w.rows)}, {vector_x, vector_y}, queue);
}

}  // namespace ridge::experiments::ch06_grid_2d
