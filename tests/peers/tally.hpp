// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "rule.hpp"

namespace ridge::peers {

// The results of a rule over trials with identical arms.
struct tally {
  std::string rule{};
  std::string workload{};
  std::size_t trials = 0;
  std::size_t false_positives = 0;
  double p95_error = 0;  // 95th percentile of |ratio - 1|
  double seconds_per_trial = 0;
};

// Returns one tally per rule. The rules take turns, trial by trial, so that all run on the same state of the
// machine.
[[nodiscard]] std::vector<tally> tallies(const std::vector<rule>& rules, workload& subject,
                                         std::size_t trials, double budget_s);

}  // namespace ridge::peers
