// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/experiment.hpp>

#include "labelled_bottlenecks.hpp"

namespace ridge::experiments::ch08_labelled_bottlenecks {

ladder<workload> cuda() {
  return {
      {.name = "dram",
       .is = role::baseline,
       .idea = "planted: nothing but bytes; expected: near the ceiling, rule K1",
       .run = enqueues(launch_dram)},
      {.name = "l2",
       .idea = "planted: each element read 32 times from the L2; expected: no rule",
       .run = enqueues(launch_l2)},
      {.name = "latency",
       .idea = "planted: one warp a multiprocessor; expected: rule K4",
       .run = enqueues(launch_latency)},
      {.name = "divergence",
       .idea = "planted: lanes take turns; expected: rule K10",
       .run = enqueues(launch_divergence)},
      {.name = "conflicts",
       .idea = "planted: 32 lanes in one bank; expected: rule K9",
       .run = enqueues(launch_conflicts)},
      {.name = "tail",
       .idea = "planted: one block more than fit at once; expected: rule K16",
       .run = enqueues(launch_tail)},
  };
}

}  // namespace ridge::experiments::ch08_labelled_bottlenecks
