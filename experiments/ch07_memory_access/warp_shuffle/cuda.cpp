// SPDX-License-Identifier: Apache-2.0
#include <cstddef>

#include <ridge/harness/experiment.hpp>

#include "warp_shuffle.hpp"

namespace ridge::experiments::ch07_warp_shuffle {

ladder<workload> cuda() {
  return {
      {.name = "shared_tree",
       .is = role::baseline,
       .idea = "five rounds through shared memory, with a barrier of the block after each",
       .run = enqueues(launch_shared_tree)},
      {.name = "shuffles",
       .idea = "five shuffles: lanes read each other's registers, and no warp waits for another",
       .run = enqueues(launch_shuffles)},
      {.name = "redux",
       .idea = "redux.sync: one instruction for integers",
       .run = enqueues(launch_redux),
       .needs = {.compute_capability = {8, 0}}},
      {.name = "quads",
       .idea = "16 bytes a load, and eight lanes for a short segment: fewer rounds and more bytes under way",
       .run = enqueues(launch_quads),
       .needs = {.compute_capability = {8, 0}}},
      {.name = "cub_segmented",
       .is = role::comparator,
       .idea = "cub::DeviceSegmentedReduce::Sum",
       .run = enqueues_in_scratch(launch_cub)},
  };
}

}  // namespace ridge::experiments::ch07_warp_shuffle
