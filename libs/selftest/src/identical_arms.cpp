// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <ridge/harness/session.hpp>
#include <ridge/stats/quantile.hpp>

#include "neighbours.hpp"
#include "rows.hpp"

namespace ridge::selftest {

row identical_arms(std::string name, workload kind, const surroundings& surroundings) {
  const int trials = std::max(20, static_cast<int>(400 * surroundings.scale));
  const neighbours busy(2);
  known_arms arms(kind, 0);
  int excluded = 0, wrong_verdicts = 0;
  std::vector<double> distance;
  for (int trial = 0; trial < trials; ++trial) {
    harness::protocol p{.budget_s = 0.05, .seed = 1000u + static_cast<std::uint64_t>(trial)};
    const auto session = harness::measure(arms, p, {{0, 1}}, {model::better::lower});
    const auto& result = session.results.front();
    if (!result.estimate.ci.contains(1)) ++excluded;
    if (result.verdict == model::verdict::better || result.verdict == model::verdict::worse) ++wrong_verdicts;
    distance.push_back(std::abs(result.estimate.ratio - 1));
  }
  std::ranges::sort(distance);
  return {.name = std::move(name),
          .value = static_cast<double>(excluded),
          .unit = fmt::format("of {}", trials),
          .limit = false_alarm_limit(trials),
          .detail = fmt::format(
              "trials of identical arms told apart; {} BETTER or WORSE; p95 distance from 1: {:.2f} %",
              wrong_verdicts, 100 * stats::sorted_quantile(distance, 0.95))};
}

}  // namespace ridge::selftest
