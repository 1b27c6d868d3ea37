// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/experiment.hpp>

#include "threshold_predicate.hpp"

namespace ridge::experiments::ch08_threshold_predicate {

ladder<workload> cuda() {
  return {
      {.name = "branch",
       .is = role::baseline,
       .idea = "a warp runs one side for some lanes, then the other for the rest",
       .run = enqueues(launch_branch)},
      {.name = "predicated",
       .idea = "every lane runs both sides together and selects",
       .run = enqueues(launch_predicated)},
      {.name = "vectorized", .idea = "the same for 16 bytes a lane", .run = enqueues(launch_vectorized)},
  };
}

}  // namespace ridge::experiments::ch08_threshold_predicate
