// SPDX-License-Identifier: Apache-2.0
#include "warp_tiles.cuh"

#include <ridge/gpu/launch.cuh>

#include "sgemm_ladder.hpp"

namespace ridge::experiments::ch09_sgemm_ladder {
namespace {

// Copies and stores are of 16 bytes.
bool in_quads(const workload& w) {
  const auto on_quad = [](const void* data) { return reinterpret_cast<std::uintptr_t>(data) % 16 == 0; };
  return w.n % 4 == 0 && on_quad(w.b.data()) && on_quad(w.c.data());
}

template <class Tile>
void launch(const workload& w, stream queue) {
  const auto down = gpu::blocks_for(as_count(w.m), Tile::rows);
  const auto across = gpu::blocks_for(as_count(w.n), Tile::columns);
  gpu::allow_dynamic_shared_memory(warp_tiles<Tile>, Tile::shared_bytes);
  gpu::launch(warp_tiles<Tile>, {down * across, Tile::threads, Tile::shared_bytes, queue},
              warp_tile_problem{w.a.data(), w.b.data(), w.c.data(), static_cast<int>(w.m),
                                static_cast<int>(w.n), static_cast<int>(w.k), down, across});
}

using large_tile = warp_tile<2, 4, 1>;   // 128 x 256
using medium_tile = warp_tile<2, 2, 2>;  // 128 x 128

}  // namespace

void launch_warp_tiles(const workload& w, stream queue) {
  if (w.c.empty()) return;
  if (!in_quads(w)) return launch_vectors(w, queue);
  const auto large =
      gpu::blocks_for(as_count(w.m), large_tile::rows) * gpu::blocks_for(as_count(w.n), large_tile::columns);
  // Large tiles, of which a multiprocessor holds one, need nine of ten multiprocessors at least.
  if (10 * large >= 9 * gpu::multiprocessors()) return launch<large_tile>(w, queue);
  launch<medium_tile>(w, queue);
}

}  // namespace ridge::experiments::ch09_sgemm_ladder
