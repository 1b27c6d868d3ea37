// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/experiment.hpp>

#include "warp_divergence.hpp"

namespace ridge::experiments::ch08_warp_divergence {
namespace {

auto sorted(const workload& shape, setup& s) {
  return [order = s.workspace<std::uint32_t>(shape.source.size() + 1),
          scratch = s.workspace<std::byte>(sorting_bytes(shape))](workload& w, call& c) {
    launch_sorted(w, order, scratch, c.queue());
  };
}

}  // namespace

ladder<workload> cuda() {
  return {
      {.name = "data_dependent",
       .is = role::baseline,
       .idea = "a warp whose lanes disagree runs both sides",
       .run = enqueues(launch_diverging)},
      {.name = "sorted",
       .idea = "indices partitioned by side first, by CUB: all warps but one agree",
       .run = sorted,
       .traffic = [](const problem& p) { return 28 * p.real("elements"); }},
      {.name = "compacted",
       .idea = "a block collects each side in shared memory: one warp in 32 disagrees",
       .run = enqueues(launch_compacted)},
  };
}

}  // namespace ridge::experiments::ch08_warp_divergence
