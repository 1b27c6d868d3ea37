// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

// The order in which a product's tiles are made, and how they are shared out among blocks that stay.
namespace ridge::kernels {

struct tile_place {
  unsigned row = 0, column = 0;  // in tiles
};

// Tiles in bands of `band` rows: down the rows of a band, then to the next column, so that blocks that run
// together make a region that is nearly square and share their operands in the second-level cache. Every
// second band runs backwards and so begins with the columns that its predecessor ended with.
struct tile_order {
  unsigned rows = 0, columns = 0, band = 1;

  // Number of tiles.
  [[nodiscard]] __host__ __device__ unsigned tiles() const { return rows * columns; }

  // Where the tile is that is made as number `index`.
  [[nodiscard]] __host__ __device__ tile_place place(unsigned index) const {
    const unsigned in_band = band * columns, number = index / in_band, inside = index % in_band;
    const unsigned first = number * band, height = rows - first < band ? rows - first : band;
    const unsigned column = inside / height;
    return {first + inside % height, number % 2 == 0 ? column : columns - 1 - column};
  }
};

// A part of a tile's sums: terms come in steps, and steps first .. end - 1 are added by one block.
struct tile_share {
  unsigned tile = 0, first = 0, end = 0;
};

// Every team of blocks makes whole tiles: team t makes tiles t, t + teams, ...
struct whole_tiles {
  static constexpr bool splits = false;
  tile_order order{};
  unsigned steps = 0;  // of a tile

  // The share number `number` of a team; false where it has fewer.
  [[nodiscard]] __host__ __device__ bool share(unsigned team, unsigned teams, unsigned number,
                                               tile_share& found) const {
    found = {team + number * teams, 0, steps};
    return found.tile < order.tiles();
  }
};

// Stream-K (Osama et al., 2023): the steps of the first `split` tiles are cut into one equal run a team,
// whatever tiles they belong to; the tiles behind are made whole. A team that begins inside a tile helps the
// team that began it.
struct equal_runs {
  static constexpr bool splits = true;
  tile_order order{};
  unsigned steps = 0;
  unsigned split = 0;  // tiles whose steps are cut

  // First step, counted over all split tiles, of a team's run.
  [[nodiscard]] __host__ __device__ unsigned begin(unsigned team, unsigned teams) const {
    return static_cast<unsigned>(static_cast<unsigned long long>(split) * steps * team / teams);
  }

  // The share number `number` of a team; false where it has fewer.
  [[nodiscard]] __host__ __device__ bool share(unsigned team, unsigned teams, unsigned number,
                                               tile_share& found) const {
    const unsigned run_begin = begin(team, teams), run_end = begin(team + 1, teams);
    const unsigned first_tile = run_begin / steps,
                   tiles = run_end > run_begin ? (run_end - 1) / steps - first_tile + 1 : 0;
    if (number >= tiles) {
      found = {split + team + (number - tiles) * teams, 0, steps};
      return found.tile < order.tiles();
    }
    const unsigned tile = first_tile + number, tile_end = (tile + 1) * steps;
    found = {tile, number == 0 ? run_begin - tile * steps : 0,
             (tile_end < run_end ? tile_end : run_end) - tile * steps};
    return true;
  }
};

}  // namespace ridge::kernels
