// SPDX-License-Identifier: Apache-2.0
#include "timing_pitfalls.hpp"

#include "flush_lines.hpp"

namespace ridge::experiments::ch01_timing_pitfalls {
namespace {

// A loop over one small buffer finds it in the cache; a caller whose data comes from memory never does.
void run(workload& w, call& c) {
  flush_lines(std::as_bytes(w.data));
  flush_lines(std::as_bytes(w.result));
  for (const observable timing : {right, naive}) {
    const auto from = c.now();
    halve(w.data, w.result);
    c.observe(timing, from, c.now());
  }
}

}  // namespace

pitfall warm_cache() {
  return {.name = "warm_cache", .run = run, .expected = expect_halves, .flop_per_element = 1};
}

}  // namespace ridge::experiments::ch01_timing_pitfalls
