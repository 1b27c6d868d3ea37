// SPDX-License-Identifier: Apache-2.0
#include <ridge/model/comparison_row.hpp>

#include <algorithm>
#include <limits>

namespace ridge::model {
namespace {

constexpr double unseen = std::numeric_limits<double>::quiet_NaN();

arm arm_of(const family& family, const std::string& variant, const metric& metric) {
  arm one{.variant = variant, .median = unseen, .ci = {unseen, unseen}, .unit = metric.unit};
  const auto* seen = find(family, variant);
  if (!seen) return one;
  if (const auto* value = find(*seen, metric.name)) {
    one.median = value->median;
    one.ci = value->ci;
  }
  one.of_ceiling = seen->of_ceiling;
  one.bound = seen->bound;
  if (seen->memory.peak_bytes > 0) one.memory_bytes = seen->memory.peak_bytes;
  one.energy_j = seen->energy_j;
  return one;
}

}  // namespace

const measurement* find(const family& family, std::string_view variant) {
  const auto at = std::ranges::find(family.measurements, variant, &measurement::variant);
  return at == family.measurements.end() ? nullptr : &*at;
}

const estimate* find(const measurement& measurement, std::string_view metric) {
  const auto at =
      std::ranges::find_if(measurement.metrics, [&](const estimate& e) { return e.metric.name == metric; });
  return at == measurement.metrics.end() ? nullptr : &*at;
}

comparison_row row(const family& family, const comparison& comparison) {
  return {.experiment = family.experiment,
          .problem = text(family.problem),
          .axes = family.problem,
          .backend = family.backend,
          .comparison = comparison,
          .arms = {arm_of(family, comparison.reference, comparison.metric),
                   arm_of(family, comparison.candidate, comparison.metric)}};
}

std::vector<comparison_row> rows(const run& run) {
  std::vector<comparison_row> all;
  for (const auto& family : run.families) {
    for (const auto& comparison : family.comparisons) all.push_back(row(family, comparison));
  }
  return all;
}

}  // namespace ridge::model
