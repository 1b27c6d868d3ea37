// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include <ridge/trace/clock_alignment.hpp>

namespace ridge::trace {

// One end of a collective by two clocks.
struct clock_pair {
  nanoseconds own_ns = 0;     // by the trace's clock
  nanoseconds common_ns = 0;  // by the common clock
  std::string group{};        // process group
};

// How far |errors| reach: the 95th percentile, the largest where there are fewer than 20.
[[nodiscard]] nanoseconds reach_of(std::vector<nanoseconds> errors);

// How far the pairs lie from the map.
[[nodiscard]] nanoseconds misfit(const clock_map& map, std::span<const clock_pair> pairs);

// The map that fits the pairs: offset from the median of the groups' medians; a drift (Theil-Sen) where it
// more than halves the misfit of at least eight pairs. `uncertainty_ns` is the misfit alone.
[[nodiscard]] clock_map fit_clock(std::span<const clock_pair> pairs);

}  // namespace ridge::trace
