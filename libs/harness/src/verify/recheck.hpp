// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sampling/family_arms.hpp"

namespace ridge::harness {

// The result of recomputing rounds drawn at random from regenerated data (decision 0020).
struct recheck_result {
  std::size_t rounds = 0;            // rounds recomputed
  std::size_t drawn = 0;             // rounds kept
  std::string method{};              // "oracle", "elements", "check"
  std::vector<std::string> wrong{};  // by arm: why its timed results were wrong; empty when right
  std::vector<std::string> skips{};  // by arm: a call of sixteen in a row on fresh data that was not computed
};

// Regenerates the data of each kept round and recomputes its results: by the oracle, whose fingerprint each
// arm's recorded one must equal; where the oracle is too slow, by running each arm again, which must repeat
// its fingerprint, and comparing random elements or the stated property. At least one round, more while
// `budget_s` lasts.
[[nodiscard]] recheck_result recheck(const experiment::definition& definition, const problem& p,
                                     family_arms& arms, const instruments& equipment, double budget_s);

}  // namespace ridge::harness
