// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include <ridge/harness/session.hpp>
#include <ridge/harness/verdict.hpp>
#include <ridge/stats/quantile.hpp>

#include "rows.hpp"

namespace ridge::selftest {
namespace {

struct timed_verdicts {
  double median_s = 0;
  int expected = 0;
};

timed_verdicts time_verdicts(double extra, model::verdict expected, int trials) {
  timed_verdicts seen;
  std::vector<double> seconds;
  known_arms arms(workload::registers, extra);
  for (int trial = 0; trial < trials; ++trial) {
    // One second per arm, as `ridge run` takes for two arms in the standard profile.
    const harness::protocol p{.budget_s = 2.0, .seed = 5u + static_cast<std::uint64_t>(trial)};
    const double start = harness::monotonic_seconds();
    const auto session = harness::measure(arms, p, {{0, 1}}, {model::better::lower});
    const auto& r = session.results.front();
    const auto line = fmt::format("{:.4f} [{:.4f}, {:.4f}] {}", r.estimate.ratio, r.estimate.ci.lo,
                                  r.estimate.ci.hi, model::name(r.verdict));
    seconds.push_back(harness::monotonic_seconds() - start);
    if (!line.empty() && r.verdict == expected) ++seen.expected;
  }
  seen.median_s = stats::median(seconds);
  return seen;
}

}  // namespace

row verdict_time(const surroundings& surroundings) {
  const int trials = std::max(10, static_cast<int>(50 * surroundings.scale));
  const auto same = time_verdicts(0, model::verdict::equivalent, trials);
  const auto slower = time_verdicts(0.03, model::verdict::worse, trials);
  return {.name = "verdict_time",
          .value = 1000 * std::max(same.median_s, slower.median_s),
          .unit = "ms",
          .limit = 100,
          .detail = fmt::format("median: EQUIVALENT {:.0f} ms ({} of {}), WORSE by 3 % {:.0f} ms ({} of {})",
                                1000 * same.median_s, same.expected, trials, 1000 * slower.median_s,
                                slower.expected, trials)};
}

}  // namespace ridge::selftest
