// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "rule.hpp"

namespace ridge::peers {

// What a rule made of identical arms.
struct tally {
  std::string rule{};
  std::string workload{};
  std::size_t trials = 0;
  std::size_t false_positives = 0;
  double p95_error = 0;  // of |ratio - 1|
  double seconds_per_trial = 0;
};

// The rules take turns, trial by trial, so that all meet the same machine.
[[nodiscard]] std::vector<tally> tallies(const std::vector<rule>& rules, workload& subject,
                                         std::size_t trials, double budget_s);

}  // namespace ridge::peers
