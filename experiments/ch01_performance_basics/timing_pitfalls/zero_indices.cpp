// SPDX-License-Identifier: Apache-2.0
#include "timing_pitfalls.hpp"

namespace ridge::experiments::ch01_timing_pitfalls {
namespace {

void expected(workload& w) {
  const auto n = w.data.size();
  for (std::size_t i = 0; i < n; ++i) {
    const float next = w.data[i + 1 < n ? i + 1 : 0];
    w.result[i] = w.data[slot_of(w.data[i], next, n)];
  }
}

}  // namespace

pitfall zero_indices() { return {.name = "zero_indices", .expected = expected, .misleads = true}; }

}  // namespace ridge::experiments::ch01_timing_pitfalls
