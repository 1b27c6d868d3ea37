// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <ridge/harness/session.hpp>

#include "sampling/family_arms.hpp"

namespace ridge::harness {

// Seconds of a call of one arm in pairs of rounds, a value for each pair.
struct fresh_times {
  std::vector<double> anew{};   // on data of which all were drawn anew
  std::vector<double> again{};  // right after it, on the same data but for some lines
  // Where a sample makes several calls: in a sample that makes one call on each of a few members, whose data
  // are new and whose results are poison, while code, tables and data lie in the caches. Else empty.
  std::vector<double> once{};
  std::vector<double>
      paid{};  // by round, of these and some more: what a call cost, as family_arms::paid_s says
};

// How the arms fare on fresh data, measured when a session is over.
struct fresh_rounds {
  std::vector<fresh_times> arms{};  // by arm
  std::size_t pairs = 0;
  std::string skipped{};  // why there are none, or too few; empty otherwise
};

// The fewest pairs of rounds that say something.
inline constexpr std::size_t least_fresh_pairs = 6;

// Takes twelve pairs of rounds, up to 24 after a short session or while a gain looks lost. They end after a
// tenth of a second or 8 % of the seconds of the session's rounds, whichever is longer, and after half a
// second while a gain looks lost. None is taken where the fewest that say something would take longer than a
// quarter of a second and a fifth of the session's. Where samples are single short calls, a round on other
// new data comes before each pair, whose times count in the means alone. All arms of a round work on the same
// data, and their results are compared. The session's counts of calls are used.
[[nodiscard]] fresh_rounds take_fresh_rounds(family_arms& arms, const session_record& session,
                                             std::uint64_t seed);

}  // namespace ridge::harness
