// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/experiment.hpp>

#include "launch_bounds_occupancy.hpp"

namespace ridge::experiments::ch06_launch_bounds_occupancy {

ladder<workload> cuda() {
  return {
      {.name = "eight_blocks",
       .is = role::baseline,
       .idea =
           "bounds for eight blocks of 128, half of all warps: 64 registers, most numbers in local memory",
       .run = enqueues(launch_bounded<8>)},
      {.name = "five_blocks", .idea = "for five: 96 registers, 20 warps", .run = enqueues(launch_bounded<5>)},
      {.name = "four_blocks",
       .idea = "for four: 128 registers, 16 warps",
       .run = enqueues(launch_bounded<4>)},
      {.name = "unbounded",
       .idea = "the compiler takes 168 registers and spills none: 12 warps",
       .run = enqueues(launch_unbounded)},
      {.name = "suggested",
       .idea = "the same kernel in the block size that cudaOccupancyMaxPotentialBlockSize suggests",
       .run = enqueues(launch_suggested)},
  };
}

}  // namespace ridge::experiments::ch06_launch_bounds_occupancy
