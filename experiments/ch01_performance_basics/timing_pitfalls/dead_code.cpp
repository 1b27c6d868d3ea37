// SPDX-License-Identifier: Apache-2.0
#include "timing_pitfalls.hpp"

namespace ridge::experiments::ch01_timing_pitfalls {
namespace {

inline float sum_of_squares(input<float> data) {
  double sum = 0;
  for (const float x : data) sum += double(x) * double(x);
  return static_cast<float>(sum);
}

// Nobody reads the first sum, so an optimizing compiler leaves out the loop that makes it.
void run(workload& w, call& c) {
  const auto unused = c.now();
  static_cast<void>(sum_of_squares(w.data));
  const auto used = c.now();
  w.result[0] = sum_of_squares(w.data);
  asm volatile("" ::: "memory");
  c.observe(naive, unused, used);
  c.observe(right, used, c.now());
}

void expected(workload& w) { w.result[0] = sum_of_squares(w.data); }

}  // namespace

pitfall dead_code() {
  return {.name = "dead_code",
          .run = run,
          .expected = expected,
          .one_result = true,
          .flop_per_element = 2,
          .steps = 1};
}

}  // namespace ridge::experiments::ch01_timing_pitfalls
