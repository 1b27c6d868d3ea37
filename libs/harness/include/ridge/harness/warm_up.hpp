// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <ridge/harness/contestants.hpp>
#include <ridge/harness/protocol.hpp>

namespace ridge::harness {

struct warmth {
  bool steady = false;
  double seconds = 0;
  std::uint64_t rounds = 0;
};

// Alternates the arms and discards what it measures, until each arm's median of its last three samples is
// within 1 % of its three before, or p.warm_up_max_s is over; it takes p.warm_up_min_s at least. `now_s`
// reads the wall clock.
[[nodiscard]] warmth warm_up(contestants& contest, const std::vector<std::uint64_t>& iterations,
                             const protocol& p, double (*now_s)());

}  // namespace ridge::harness
