// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/experiment.hpp>

#include "table_lookup.hpp"

namespace ridge::experiments::ch07_table_lookup {

// Why gains over constant memory exceed ten times.
constexpr auto one_address =
    "constant memory answers one address of a warp at a time, and its codes name up to 32";

ladder<workload> large_cuda() {
  return {
      {.name = "constant",
       .is = role::baseline,
       .idea = "constant memory, where textbooks put small tables: one word for all lanes at a time",
       .run = enqueues(launch_constant)},
      {.name = "global",
       .idea = "ordinary loads: a turn for each line that a warp's codes touch, found in the L1",
       .run = enqueues(launch_global),
       .explanation = one_address},
      {.name = "read_only",
       .idea = "ld.global.nc, __ldg: the same cache",
       .run = enqueues(launch_read_only),
       .explanation = one_address},
      {.name = "shared",
       .idea = "shared memory: lanes take turns only where their entries share a bank",
       .run = enqueues(launch_shared),
       .explanation = one_address},
      {.name = "shared_copies",
       .idea = "a copy of the table for each lane, in the lane's own bank",
       .run = enqueues(launch_shared_copies),
       .explanation = one_address},
  };
}

ladder<workload> small_cuda() {
  auto all = large_cuda();
  all.push_back({.name = "registers",
                 .idea = "a lane holds an entry, and lanes ask one another by shuffles",
                 .run = enqueues(launch_registers),
                 .explanation = one_address});
  return all;
}

}  // namespace ridge::experiments::ch07_table_lookup
