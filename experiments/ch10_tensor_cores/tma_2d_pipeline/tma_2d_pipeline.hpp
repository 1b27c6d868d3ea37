// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <ridge/harness/workload.hpp>

namespace ridge::experiments::ch10_tma_2d_pipeline {

inline constexpr std::size_t side = 64;  // of a tile, in elements

// The largest magnitude of each row and of each column of each tile of a matrix whose rows begin `pitch`
// elements apart, a multiple of four: what a block-scaled format needs for both orders of its elements.
struct workload {
  std::size_t rows = 0, columns = 0, pitch = 0;
  input<float> matrix{};
  output<float> row_maxima{};     // of tile column x and row y at x * rows + y
  output<float> column_maxima{};  // of tile row y and column x at y * columns + x
};

// Number of tiles along an extent.
[[nodiscard]] constexpr std::size_t tiles_along(std::size_t extent) { return (extent + side - 1) / side; }

ladder<workload> cpu();
[[gnu::weak]] ladder<workload> cuda();

// Each enqueues kernels.cu's on `queue`. Loads by threads, then a barrier: a block for each tile, or one on
// each multiprocessor for all. Copies into a ring of `stages` tiles on each multiprocessor: 2 or 3 with
// asynchronous copies by threads, 2, 3, 4 or 6 with copies by tensor map. Counted: four stages, and tiles go
// to whichever block is free, by a counter on the device that is zero before and after.
void launch_block_per_tile(const workload& w, stream queue);
void launch_resident_block(const workload& w, stream queue);
void launch_async_copies(const workload& w, unsigned stages, stream queue);
void launch_tensor_copies(const workload& w, unsigned stages, stream queue);
void launch_counted_copies(const workload& w, unsigned* counter, stream queue);

}  // namespace ridge::experiments::ch10_tma_2d_pipeline
