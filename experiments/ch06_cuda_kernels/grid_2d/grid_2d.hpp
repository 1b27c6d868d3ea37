// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/harness/workload.hpp>

namespace ridge::experiments::ch06_grid_2d {

// target[r][c] = scale[r] * source[r][c] for row-major matrices.
struct workload {
  std::size_t rows = 0, columns = 0;
  input<float> source{}, scale{};
  output<float> target{};
};

[[gnu::weak]] ladder<workload> cuda();
// Each enqueues the scaling on `queue`: neighbouring threads in a column, 16×16 a block; in a row, 16×16; in
// a row, a warp a row; the same with 16 bytes a thread, where rows begin at multiples of 16
// bytes.
void launch_down_columns(const workload& w, stream queue);
void launch_square_blocks(const workload& w, stream queue);
void launch_warp_rows(const workload& w, stream queue);
void launch_vectors(const workload& w, stream queue);

}  // namespace ridge::experiments::ch06_grid_2d
