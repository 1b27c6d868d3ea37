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

#include "tile_stencil.hpp"

namespace ridge::experiments::ch07_tile_stencil {
namespace {

constexpr unsigned threads = 256;
constexpr int warp_lanes = 32;
constexpr int warps = threads / warp_lanes;
constexpr int tile = 64;  // elements on a side in shared memory

__device__ float weighted(float own, float others) { return centre * own + neighbour * others; }

__global__ void __launch_bounds__(threads)
    one_step_global(const float* before, float* after, std::size_t rows, std::size_t columns) {
  const std::size_t x = blockIdx.x * std::size_t{warp_lanes} + threadIdx.x;
  const std::size_t y = blockIdx.y * std::size_t{warps} + threadIdx.y;
  if (x >= columns || y >= rows) return;
  const std::size_t i = y * columns + x;
  const float above = y == 0 ? 0 : before[i - columns], below = y + 1 == rows ? 0 : before[i + columns];
  const float left = x == 0 ? 0 : before[i - 1], right = x + 1 == columns ? 0 : before[i + 1];
  after[i] = weighted(before[i], (above + below) + (left + right));
}

__global__ void __launch_bounds__(threads)
    one_step_shared(const float* before, float* after, std::size_t rows, std::size_t columns) {
  constexpr int side = tile + 2;
  __shared__ float block[side][side];
  const std::size_t left = blockIdx.x * std::size_t{tile}, top = blockIdx.y * std::size_t{tile};
  for (int i = static_cast<int>(threadIdx.x); i < side * side; i += threads) {
    const std::size_t y = top + i / side - 1, x = left + i % side - 1;
    block[i / side][i % side] = y < rows && x < columns ? before[y * columns + x] : 0;
  }
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < tile * tile; i += threads) {
    const int row = i / tile + 1, column = i % tile + 1;
    const std::size_t y = top + row - 1, x = left + column - 1;
    if (y >= rows || x >= columns) continue;
    after[y * columns + x] =
        weighted(block[row][column], (block[row - 1][column] + block[row + 1][column]) +
                                         (block[row][column - 1] + block[row][column + 1]));
  }
}

// All steps at once. A warp goes down a strip of 128 columns, four a lane, with two rows of every step in
// registers; neighbours beside a lane's own come by shuffles. Each step makes one more column at both edges
// of the strip wrong, so that after four steps the first and the last lane hold nothing of use: strips
// overlap by them. A strip is `strip_rows` long and begins and ends `steps` rows further out.
constexpr int strip_columns = 4 * (warp_lanes - 2);
constexpr int strip_rows = 128;
static_assert(steps == 4, "the first and the last lane hold one column a step");

struct strip {
  int rows, columns;        // of the grid
  int column, top;          // of this lane's first element, and of the first row that is written
  float own, others;        // weights: zero beyond the grid, which keeps the values there at zero
  float4 kept[steps][2]{};  // the last two rows before each step

  __device__ strip(const strip&) = delete;
  __device__ strip(int grid_rows, int grid_columns)
      : rows(grid_rows),
        columns(grid_columns),
        column((static_cast<int>(blockIdx.x) * warps + static_cast<int>(threadIdx.x) / warp_lanes) *
                   strip_columns -
               4 + 4 * (static_cast<int>(threadIdx.x) % warp_lanes)),
        top(static_cast<int>(blockIdx.y) * strip_rows),
        own(in_grid() ? centre : 0),
        others(in_grid() ? neighbour : 0) {}

  __device__ bool in_grid() const { return column >= 0 && column < columns; }
  __device__ bool beyond_grid() const {  // the whole strip
    return column - 4 * (static_cast<int>(threadIdx.x) % warp_lanes) + 4 >= columns;
  }
  __device__ bool writes() const {
    const unsigned lane = threadIdx.x % warp_lanes;
    return in_grid() && lane != 0 && lane != warp_lanes - 1;
  }
  __device__ int rows_read() const { return min(strip_rows, rows - top) + 2 * steps; }

  // Row y - 1 after one more step.
  __device__ float4 stepped(float4 above, float4 row, float4 below, int y) const {
    const bool inside = y - 1 >= 0 && y - 1 < rows;
    const float a = inside ? own : 0, b = inside ? others : 0;
    const float left = __shfl_up_sync(~0U, row.w, 1), right = __shfl_down_sync(~0U, row.x, 1);
    return {a * row.x + b * ((above.x + below.x) + (left + row.y)),
            a * row.y + b * ((above.y + below.y) + (row.x + row.z)),
            a * row.z + b * ((above.z + below.z) + (row.y + row.w)),
            a * row.w + b * ((above.w + below.w) + (row.z + right))};
  }
  // Takes row y of the source and writes row y - steps of the target.
  __device__ void advance(float4 row, int y, float* target) {
#pragma unroll
    for (int s = 0; s < steps; ++s) {
      const float4 next = stepped(kept[s][0], kept[s][1], row, y - s);
      kept[s][0] = kept[s][1];
      kept[s][1] = row;
      row = next;
    }
    const int done = y - steps;
    if (writes() && done >= top && done < top + strip_rows && done < rows)
      *reinterpret_cast<float4*>(target + done * std::size_t(columns) + column) = row;
  }
};

constexpr int rows_ahead = 4;

__global__ void __launch_bounds__(threads, 2)
    all_steps_rows(const float* source, float* target, int rows, int columns) {
  strip s(rows, columns);
  if (s.beyond_grid()) return;
  const int count = s.rows_read(), first = s.top - steps;
  const auto load = [&](int i) {
    const int y = first + i;
    const bool there = s.in_grid() && y >= 0 && y < rows && i < count;
    return there ? __ldg(reinterpret_cast<const float4*>(source + y * std::size_t(columns) + s.column))
                 : float4{};
  };
  float4 coming[rows_ahead];
#pragma unroll
  for (int i = 0; i < rows_ahead; ++i) coming[i] = load(i);
  for (int i = 0; i < count; i += rows_ahead) {
#pragma unroll
    for (int k = 0; k < rows_ahead; ++k) {
      const float4 row = coming[k];
      coming[k] = load(i + k + rows_ahead);
      s.advance(row, first + i + k, target);
    }
  }
}

// Each warp has a ring of boxes of its own.
constexpr int box_rows = 8, stages = 2;
constexpr unsigned box_bytes = box_rows * warp_lanes * sizeof(float4);
constexpr unsigned rings_bytes = warps * stages * box_bytes;

// The boxes bring zeros for what lies beyond the grid.
__global__ void __launch_bounds__(threads, 2)
    all_steps_boxes([[maybe_unused]] const __grid_constant__ CUtensorMap source,
                    [[maybe_unused]] float* target, [[maybe_unused]] int rows, [[maybe_unused]] int columns) {
#if __CUDA_ARCH__ >= 900
  namespace ptx = gpu::ptx;
  extern __shared__ __align__(128) float4 rings[];
  __shared__ std::uint64_t barriers[warps * stages];
  strip s(rows, columns);
  if (s.beyond_grid()) return;
  const unsigned warp = threadIdx.x / warp_lanes, lane = threadIdx.x % warp_lanes;
  const float4* ring = rings + warp * stages * box_rows * warp_lanes;
  const auto arrived = ptx::shared_address(barriers + warp * stages);
  const int boxes = (s.rows_read() + box_rows - 1) / box_rows, first = s.top - steps;
  const auto load = [&](int box, int stage) {
    ptx::mbarrier_arrive_expect_tx(arrived + 8 * stage, box_bytes);
    ptx::cp_async_bulk_tensor_2d_shared_global(ptx::shared_address(ring) + stage * box_bytes, &source,
                                               s.column, first + box * box_rows, arrived + 8 * stage);
  };
  if (lane == 0) {
    for (int i = 0; i < stages; ++i) ptx::mbarrier_init(arrived + 8 * i, 1);
    ptx::fence_mbarrier_init_release_cluster();
    for (int i = 0; i < stages && i < boxes; ++i) load(i, i);
  }
  __syncwarp();
  int stage = 0;
  unsigned parity = 0;
  for (int box = 0; box < boxes; ++box) {
    ptx::mbarrier_wait_parity(arrived + 8 * stage, parity);
#pragma unroll
    for (int k = 0; k < box_rows; ++k)
      s.advance(ring[(stage * box_rows + k) * warp_lanes + lane], first + box * box_rows + k, target);
    __syncwarp();
    if (lane == 0 && box + stages < boxes) load(box + stages, stage);
    if (++stage == stages) stage = 0, parity ^= 1;
  }
#endif
}

dim3 strips_of(const workload& w) {
  return {gpu::blocks_for(gpu::blocks_for(w.columns, strip_columns), warps),
          gpu::blocks_for(w.rows, strip_rows)};
}

}  // namespace

void step_global(const workload& w, const float* before, float* after, stream queue) {
  if (w.source.empty()) return;
  const dim3 grid(gpu::blocks_for(w.columns, warp_lanes), gpu::blocks_for(w.rows, warps));
  gpu::launch(one_step_global, {grid, dim3(warp_lanes, warps), 0, queue}, before, after, w.rows, w.columns);
}

void step_shared(const workload& w, const float* before, float* after, stream queue) {
  if (w.source.empty()) return;
  const dim3 grid(gpu::blocks_for(w.columns, tile), gpu::blocks_for(w.rows, tile));
  gpu::launch(one_step_shared, {grid, threads, 0, queue}, before, after, w.rows, w.columns);
}

bool in_quads(const workload& w) {
  return w.columns % 4 == 0 && gpu::on_16_bytes(w.source.data(), w.target.data());
}

void launch_rows(const workload& w, stream queue) {
  if (w.source.empty()) return;
  gpu::launch(all_steps_rows, {strips_of(w), threads, 0, queue}, w.source.data(), w.target.data(),
              as_int(w.rows), as_int(w.columns));
}

void launch_boxes(const workload& w, stream queue) {
  if (w.source.empty()) return;
  const auto map = gpu::make_tensor_map({.data = w.source.data(),
                                         .rows = w.rows,
                                         .columns = w.columns,
                                         .row_bytes = w.columns * sizeof(float),
                                         .box_rows = box_rows,
                                         .box_columns = 4 * warp_lanes});
  gpu::allow_dynamic_shared_memory(all_steps_boxes, rings_bytes);
  gpu::launch(all_steps_boxes, {strips_of(w), threads, rings_bytes, queue}, map, w.target.data(),
              as_int(w.rows), as_int(w.columns));
}

}  // namespace ridge::experiments::ch07_tile_stencil
