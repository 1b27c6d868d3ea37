// SPDX-License-Identifier: Apache-2.0
#include "timing_pitfalls.hpp"

namespace ridge::experiments::ch01_timing_pitfalls {
namespace {

// A benchmark that halves its own result again and again arrives at subnormal numbers, which many processors
// multiply in microcode.
void run(workload& w, call& c) {
  const auto decayed = c.now();
  halve(w.misleading, w.result);
  const auto ordinary = c.now();
  halve(w.data, w.result);
  c.observe(naive, decayed, ordinary);
  c.observe(right, ordinary, c.now());
}

}  // namespace

pitfall denormals() {
  return {.name = "denormals",
          .run = run,
          .expected = expect_halves,
          .misleads = true,
          .misleading_from = uniform{1e-40, 1e-39},
          .flop_per_element = 1};
}

}  // namespace ridge::experiments::ch01_timing_pitfalls
