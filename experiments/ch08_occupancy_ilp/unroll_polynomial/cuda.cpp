// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/experiment.hpp>

#include "unroll_polynomial.hpp"

namespace ridge::experiments::ch08_unroll_polynomial {

ladder<workload> cuda() {
  return {
      {.name = "serial",
       .is = role::baseline,
       .idea = "a loop that loads a coefficient for each multiply-add",
       .run = enqueues(launch_serial)},
      {.name = "unrolled",
       .idea = "the degree is known to the compiler: loads ahead of multiply-adds, and no loop",
       .run = enqueues(launch_unrolled)},
      {.name = "estrin", .idea = "halves that do not wait for each other", .run = enqueues(launch_estrin)},
      {.name = "four_points",
       .idea = "each coefficient serves four points; 16 bytes a load",
       .run = enqueues(launch_four_points)},
      {.name = "eight_points", .idea = "two such loads on the way", .run = enqueues(launch_eight_points)},
      {.name = "estrin_eight_points",
       .idea = "eight points by halves",
       .run = enqueues(launch_estrin_eight_points)},
  };
}

}  // namespace ridge::experiments::ch08_unroll_polynomial
