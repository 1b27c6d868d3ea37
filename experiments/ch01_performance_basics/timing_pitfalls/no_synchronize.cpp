// SPDX-License-Identifier: Apache-2.0
#include "timing_pitfalls.hpp"

namespace ridge::experiments::ch01_timing_pitfalls {

// On a CPU a call returns when its work is done: there is nothing to wait for.
pitfall no_synchronize() {
  return {.name = "no_synchronize", .expected = expect_halves, .flop_per_element = 1};
}

}  // namespace ridge::experiments::ch01_timing_pitfalls
