// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include <ridge/trace/clock_alignment.hpp>

namespace ridge::trace {

// The end of one collective on two clocks.
struct clock_pair {
  nanoseconds own_ns = 0;     // on the trace's clock
  nanoseconds common_ns = 0;  // on the common clock
  std::string group{};        // process group
};

// Returns the 95th percentile of |errors|, or the largest where there are fewer than 20.
[[nodiscard]] nanoseconds reach_of(std::vector<nanoseconds> errors);

// Returns how far the pairs lie from the map, as reach_of() counts it.
[[nodiscard]] nanoseconds misfit(const clock_map& map, std::span<const clock_pair> pairs);

// Returns the map that fits the pairs: an offset from the median of the groups' medians; a drift (Theil-Sen)
// where it more than halves the misfit of at least eight pairs. `uncertainty_ns` is the misfit alone.
[[nodiscard]] clock_map fit_clock(std::span<const clock_pair> pairs);

}  // namespace ridge::trace
