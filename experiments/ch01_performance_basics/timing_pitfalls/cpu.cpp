// SPDX-License-Identifier: Apache-2.0
#include "timing_pitfalls.hpp"

namespace ridge::experiments::ch01_timing_pitfalls {

ladder<workload> cpu() {
  return {{.name = "both_ways",
           .is = role::baseline,
           .idea = "the same step, timed wrongly and rightly in one call",
           .run = [](workload& w, call& c) { w.shown->run(w, c); }}};
}

}  // namespace ridge::experiments::ch01_timing_pitfalls
