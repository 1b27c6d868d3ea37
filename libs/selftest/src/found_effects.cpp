// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include <ridge/harness/session.hpp>
#include <ridge/stats/quantile.hpp>

#include "neighbours.hpp"
#include "rows.hpp"

namespace ridge::selftest {
namespace {

struct trials_seen {
  int found = 0;
  std::vector<double> errors{};
  std::vector<double> seconds{};
};

trials_seen find_one_percent(workload kind, int trials) {
  trials_seen seen;
  known_arms arms(kind, 0.01);
  for (int trial = 0; trial < trials; ++trial) {
    const harness::protocol p{.budget_s = 0.4, .seed = 77u + static_cast<std::uint64_t>(trial)};
    const double start = harness::monotonic_seconds();
    const auto session = harness::measure(arms, p, {{0, 1}}, {model::better::lower});
    seen.seconds.push_back(harness::monotonic_seconds() - start);
    const auto& e = session.results.front().estimate;
    if (e.ci.hi < 1) ++seen.found;
    seen.errors.push_back(std::abs(e.ratio / arms.true_ratio() - 1));
  }
  std::ranges::sort(seen.errors);
  return seen;
}

double percent_p95(const trials_seen& seen) { return 100 * stats::sorted_quantile(seen.errors, 0.95); }

}  // namespace

std::vector<row> found_effects(const std::string& suffix, workload kind, const surroundings& surroundings) {
  const int trials =
      std::max(10, static_cast<int>(100 * surroundings.scale * (kind == workload::memory ? 0.2 : 1)));
  const auto quiet = find_one_percent(kind, trials);
  trials_seen crowded;
  {
    const neighbours busy(2);
    crowded = find_one_percent(kind, trials);
  }
  const int fewer = std::min(quiet.found, crowded.found);
  std::optional<double> floor, ceiling;
  if (kind != workload::memory) floor = 0.95 * trials;
  if (kind == workload::registers) ceiling = 0.05;
  if (kind == workload::cache) ceiling = 0.25;
  return {
      {.name = "power_" + suffix,
       .value = static_cast<double>(fewer),
       .unit = fmt::format("of {}", trials),
       .limit = floor,
       .at_least = true,
       .detail = fmt::format("+1 % found: {} quiet, {} between two neighbours; median {:.0f} ms per trial",
                             quiet.found, crowded.found, 1000 * stats::median(crowded.seconds))},
      {.name = "error_" + suffix,
       .value = percent_p95(quiet),
       .unit = "%",
       .limit = ceiling,
       .detail = fmt::format("p95 error of the ratio, true ratio 1/1.01; between two neighbours {:.3f} %",
                             percent_p95(crowded))}};
}

}  // namespace ridge::selftest
