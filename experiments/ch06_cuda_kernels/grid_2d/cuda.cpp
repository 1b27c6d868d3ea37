// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/experiment.hpp>

#include "grid_2d.hpp"

namespace ridge::experiments::ch06_grid_2d {

ladder<workload> cuda() {
  return {
      {.name = "down_columns",
       .is = role::baseline,
       .idea = "threadIdx.x is the row: neighbouring lanes are a row of the matrix apart",
       .run = enqueues(launch_down_columns)},
      {.name = "square_blocks",
       .idea = "threadIdx.x is the column: a warp takes 64 bytes of two rows",
       .run = enqueues(launch_square_blocks)},
      {.name = "warp_rows",
       .idea = "blocks of 32 by 8: a warp takes 128 bytes of one row",
       .run = enqueues(launch_warp_rows)},
      {.name = "vectors",
       .idea = "16 bytes a thread: a block takes 4 KiB of each of four rows",
       .run = enqueues(launch_vectors)},
  };
}

}  // namespace ridge::experiments::ch06_grid_2d
