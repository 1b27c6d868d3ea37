// SPDX-License-Identifier: Apache-2.0
#include "timing_pitfalls.hpp"

#include <ridge/base/error.hpp>

namespace ridge::experiments::ch01_timing_pitfalls {
namespace {

auto both_ways(workload& w, setup&) {
  if (w.shown->run == nullptr) {
    throw unavailable("pitfall " + w.shown->name + " on a CPU", "it is a mistake of timing a GPU");
  }
  return [run = w.shown->run](workload& of, call& c) { run(of, c); };
}

}  // namespace

ladder<workload> cpu() {
  return {{.name = "both_ways",
           .is = role::baseline,
           .idea = "the same step, timed wrongly and rightly in one call",
           .run = both_ways}};
}

}  // namespace ridge::experiments::ch01_timing_pitfalls
