// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/experiment.hpp>

#include "ilp_fma.hpp"

namespace ridge::experiments::ch08_ilp_fma {

ladder<workload> cuda() {
  return {
      {.name = "1_warp_1_chain",
       .is = role::baseline,
       .idea = "a scheduler has one warp, and its next multiply-add waits four cycles",
       .run = enqueues(launch_1_warp_1_chain)},
      {.name = "1_warp_2_chains", .idea = "two elements a thread", .run = enqueues(launch_1_warp_2_chains)},
      {.name = "1_warp_4_chains",
       .idea = "four elements a thread: one is always ready",
       .run = enqueues(launch_1_warp_4_chains)},
      {.name = "1_warp_8_chains", .idea = "eight elements a thread", .run = enqueues(launch_1_warp_8_chains)},
      {.name = "4_warps_1_chain",
       .idea = "four warps a scheduler instead of four chains",
       .run = enqueues(launch_4_warps_1_chain)},
      {.name = "2_warps_4_chains",
       .idea = "two warps, four chains each: one issues what the other cannot",
       .run = enqueues(launch_2_warps_4_chains)},
  };
}

}  // namespace ridge::experiments::ch08_ilp_fma
