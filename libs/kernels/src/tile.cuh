// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ridge::kernels {

// How a block divides its tile of rows×cols of the product. A warp is 4 lanes high and 8 lanes wide, a thread
// holds ThreadRows×ThreadCols sums, and `Stages` slices of `Depth` terms are in shared memory or being copied
// there.
template <int WarpsDown, int WarpsAcross, int ThreadRows, int ThreadCols, int Depth, int Stages,
          int BlocksPerSm>
struct tile {
  static constexpr int warps_across = WarpsAcross;
  static constexpr int thread_rows = ThreadRows, thread_cols = ThreadCols;
  static constexpr int warp_rows = 4 * ThreadRows, warp_cols = 8 * ThreadCols;
  static constexpr int rows = WarpsDown * warp_rows, cols = WarpsAcross * warp_cols;
  static constexpr int depth = Depth, stages = Stages, blocks_per_sm = BlocksPerSm;
  static constexpr int threads = 32 * WarpsDown * WarpsAcross;
  static_assert(ThreadRows % 4 == 0 && ThreadCols % 4 == 0 && Depth % 8 == 0 && Stages >= 2);
  static_assert(rows % (threads / 8) == 0 && cols <= threads);
};

// 128×128: a thread does 64 multiply-adds for each 64 bytes that it reads from shared memory.
using large_tile = tile<4, 2, 8, 8, 16, 3, 2>;
// 64×64: gives every multiprocessor blocks where there are too few large tiles.
using medium_tile = tile<2, 2, 8, 4, 16, 3, 5>;
// 32×64 with 64 terms being copied at once: a short product is bound by the latency of its copies.
using small_tile = tile<2, 2, 4, 4, 32, 3, 5>;

}  // namespace ridge::kernels
