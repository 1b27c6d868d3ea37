// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/experiment.hpp>

#include "table_lookup.hpp"

namespace ridge::experiments::ch07_table_lookup {

ladder<workload> large_cuda() {
  return {
      {.name = "global",
       .is = role::baseline,
       .idea = "ordinary loads: a request for each line that a warp's codes touch, found in the L1",
       .run = enqueues(launch_global)},
      {.name = "read_only", .idea = "ld.global.nc, __ldg: the same cache", .run = enqueues(launch_read_only)},
      {.name = "constant",
       .idea = "constant memory: one word for all lanes at a time, so different codes take turns",
       .run = enqueues(launch_constant)},
      {.name = "shared",
       .idea = "shared memory: lanes take turns only where their entries share a bank",
       .run = enqueues(launch_shared)},
      {.name = "shared_copies",
       .idea = "a copy of the table for each lane, in the lane's own bank",
       .run = enqueues(launch_shared_copies)},
  };
}

ladder<workload> small_cuda() {
  auto all = large_cuda();
  all.push_back({.name = "registers",
                 .idea = "a lane holds an entry, and lanes ask one another by shuffles",
                 .run = enqueues(launch_registers)});
  return all;
}

}  // namespace ridge::experiments::ch07_table_lookup
