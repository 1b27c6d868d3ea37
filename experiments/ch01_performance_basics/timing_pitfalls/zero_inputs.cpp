// SPDX-License-Identifier: Apache-2.0
#include "timing_pitfalls.hpp"

#include <algorithm>

namespace ridge::experiments::ch01_timing_pitfalls {
namespace {

void timed_sort(workload& w, call& c, input<float> data, observable timing) {
  std::ranges::copy(data, w.result.begin());
  const auto from = c.now();
  std::ranges::sort(w.result);
  c.observe(timing, from, c.now());
}

// On zeros every comparison comes out the same and is predicted; on real data half of them are not.
void run(workload& w, call& c) {
  timed_sort(w, c, w.misleading, naive);
  timed_sort(w, c, w.data, right);
}

void expected(workload& w) {
  std::ranges::copy(w.data, w.result.begin());
  std::ranges::sort(w.result);
}

}  // namespace

pitfall zero_inputs() { return {.name = "zero_inputs", .run = run, .expected = expected, .misleads = true}; }

}  // namespace ridge::experiments::ch01_timing_pitfalls
