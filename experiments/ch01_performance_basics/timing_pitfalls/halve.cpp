// SPDX-License-Identifier: Apache-2.0
#include "timing_pitfalls.hpp"

namespace ridge::experiments::ch01_timing_pitfalls {

void halve(std::span<const float> from, std::span<float> to) {
  for (std::size_t i = 0; i < from.size(); ++i) to[i] = 0.5F * from[i];
}

void expect_halves(workload& w) { halve(w.data, w.result); }

}  // namespace ridge::experiments::ch01_timing_pitfalls
