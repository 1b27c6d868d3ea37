// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sampling/family_arms.hpp"

namespace ridge::harness {

// How far an arm's timed results were from the recomputed ones, over all elements compared.
struct timed_error {
  double max_abs = 0;
  double max_rel = 0;              // over the largest expected value of its array
  std::size_t compared = 0;        // elements
  std::vector<double> of_calls{};  // max_rel of each call that was compared
};

// The result of recomputing rounds drawn at random from regenerated data (decision 0020).
struct recheck_result {
  std::size_t rounds = 0;            // rounds recomputed
  std::size_t drawn = 0;             // rounds kept
  std::string method{};              // "oracle", "elements", "check"
  std::vector<std::string> wrong{};  // by arm: why its timed results were wrong; empty when right
  std::vector<std::string> skips{};  // by arm: a call of sixteen in a row on fresh data that was not computed
  std::vector<timed_error> errors{};  // by arm; of the outputs that were kept
};

// Regenerates the data of each kept round and recomputes its results by the oracle, which each arm's kept
// outputs must equal element by element; where the oracle is too slow, elements drawn now are recomputed, or
// the stated property is checked. Outputs too large to be kept are compared by their fingerprints, or by
// running the arm again. At least one round, more while `budget_s` lasts.
[[nodiscard]] recheck_result recheck(const experiment::definition& definition, const problem& p,
                                     family_arms& arms, const instruments& equipment, double budget_s);

}  // namespace ridge::harness
