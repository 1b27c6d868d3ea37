// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ridge::kernels {

// How a block divides its rows×cols of the product. A warp is 4 lanes down and 8 across, a thread has
// ThreadRows×ThreadCols sums, and `Stages` slices of `Depth` terms are in shared memory or on the way there.
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

// 128×128: 64 multiply-adds of a thread for each 64 bytes it reads from shared memory.
using large_tile = tile<4, 2, 8, 8, 16, 3, 2>;
// 64×64: enough blocks for every multiprocessor where the large tiles are too few.
using medium_tile = tile<2, 2, 8, 4, 16, 3, 5>;
// 32×64, 64 terms at once on the way: where a product is short, latency is what it takes.
using small_tile = tile<2, 2, 4, 4, 32, 3, 5>;

}  // namespace ridge::kernels
