// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/harness/workload.hpp>

namespace ridge::experiments::ch06_bank_conflicts {

inline constexpr std::size_t side = 32, tile_elements = side * side;

// Transposes each tile of 32×32 floats of `source` `passes` times, an odd number: `target` holds the
// transposed tiles. Every pass writes a tile to fast memory by rows and reads it by columns.
struct workload {
  std::size_t passes = 1;
  input<float> source{};
  output<float> target{};
};

[[gnu::weak]] ladder<workload> cuda();
// Each enqueues the passes on `queue`, a warp a tile: rows 32 words apart; 33 words apart; 32 words apart
// with columns exchanged by XOR with the row; the same with stores of 16 bytes.
void launch_strided(const workload& w, stream queue);
void launch_padded(const workload& w, stream queue);
void launch_swizzled(const workload& w, stream queue);
void launch_swizzled_vectors(const workload& w, stream queue);

}  // namespace ridge::experiments::ch06_bank_conflicts
