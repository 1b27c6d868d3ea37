// SPDX-License-Identifier: Apache-2.0
#include "tally.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <ridge/stats/quantile.hpp>

namespace ridge::peers {
namespace {

struct series {
  std::vector<double> errors{};
  std::size_t false_positives = 0;
  double seconds = 0;
};

void add_trial(series& trials, const rule& decided, workload& subject, double budget_s) {
  const auto from = std::chrono::steady_clock::now();
  const auto said = decided.trial(subject, budget_s);
  trials.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - from).count();
  trials.false_positives += said.differs ? 1 : 0;
  trials.errors.push_back(std::abs(said.ratio - 1));
}

tally of_series(series s, std::string rule, std::string workload) {
  std::ranges::sort(s.errors);
  const auto trials = s.errors.size();
  return {std::move(rule),
          std::move(workload),
          trials,
          s.false_positives,
          trials == 0 ? 0 : stats::sorted_quantile(s.errors, 0.95),
          trials == 0 ? 0 : s.seconds / static_cast<double>(trials)};
}

}  // namespace

std::vector<tally> tallies(const std::vector<rule>& rules, workload& subject, std::size_t trials,
                           double budget_s) {
  subject.run(1);
  std::vector<series> all(rules.size());
  for (std::size_t t = 0; t < trials; ++t) {
    for (std::size_t r = 0; r < rules.size(); ++r) add_trial(all[r], rules[r], subject, budget_s);
  }
  std::vector<tally> told;
  for (std::size_t r = 0; r < rules.size(); ++r)
    told.push_back(of_series(all[r], rules[r].name, subject.name()));
  return told;
}

}  // namespace ridge::peers
