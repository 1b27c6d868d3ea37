// SPDX-License-Identifier: Apache-2.0
#include "timing_pitfalls.hpp"

#include <algorithm>

#include "fresh_pages.hpp"

namespace ridge::experiments::ch01_timing_pitfalls {
namespace {

// The first step into a new buffer pays for its page faults, once; a program that keeps the buffer does not.
void run(workload& w, call& c) {
  const fresh_pages buffer(w.data.size());
  for (const observable timing : {naive, right}) {
    const auto from = c.now();
    halve(w.data, buffer.elements());
    c.observe(timing, from, c.now());
  }
  std::ranges::copy(buffer.elements(), w.result.begin());
}

}  // namespace

pitfall cold_start() {
  return {.name = "cold_start", .run = run, .expected = expect_halves, .flop_per_element = 1};
}

}  // namespace ridge::experiments::ch01_timing_pitfalls
