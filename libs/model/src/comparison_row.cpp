// SPDX-License-Identifier: Apache-2.0
#include <ridge/model/comparison_row.hpp>

#include <algorithm>
#include <limits>

namespace ridge::model {
namespace {

constexpr double unseen = std::numeric_limits<double>::quiet_NaN();

arm arm_of(const family& in, const std::string& variant, const metric& of) {
  arm one{.variant = variant, .median = unseen, .ci = {unseen, unseen}, .unit = of.unit};
  const auto* seen = find(in, variant);
  if (!seen) return one;
  if (const auto* value = find(*seen, of.name)) {
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

const measurement* find(const family& in, std::string_view variant) {
  const auto at = std::ranges::find(in.measurements, variant, &measurement::variant);
  return at == in.measurements.end() ? nullptr : &*at;
}

const estimate* find(const measurement& in, std::string_view metric) {
  const auto at =
      std::ranges::find_if(in.metrics, [&](const estimate& e) { return e.metric.name == metric; });
  return at == in.metrics.end() ? nullptr : &*at;
}

comparison_row row(const family& in, const comparison& of) {
  return {.experiment = in.experiment,
          .problem = text(in.problem),
          .axes = in.problem,
          .backend = in.backend,
          .comparison = of,
          .arms = {arm_of(in, of.reference, of.metric), arm_of(in, of.candidate, of.metric)}};
}

std::vector<comparison_row> rows(const run& of) {
  std::vector<comparison_row> all;
  for (const auto& family : of.families) {
    for (const auto& comparison : family.comparisons) all.push_back(row(family, comparison));
  }
  return all;
}

}  // namespace ridge::model
