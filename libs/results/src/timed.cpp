// SPDX-License-Identifier: Apache-2.0
#include <ridge/results/timed.hpp>

#include <algorithm>

namespace ridge::results {
namespace {

constexpr std::string_view time_metric = "time";

}  // namespace

std::vector<const model::latest_measurement*> timed(const model::workload_result& seen) {
  std::vector<const model::latest_measurement*> all;
  for (const auto& m : seen.measurements) {
    const auto& metric = m.series.metric;
    if (metric.name == time_metric && metric.unit == "s" && m.point.median > 0) all.push_back(&m);
  }
  return all;
}

const model::latest_measurement* timed_baseline(const model::workload_result& seen) {
  const auto all = timed(seen);
  const auto found =
      std::ranges::find_if(all, [](const auto* m) { return m->series.role == model::role::baseline; });
  return found == all.end() ? nullptr : *found;
}

std::optional<paired_ratio> time_ratio(const model::workload_result& seen, std::string_view reference,
                                       std::string_view candidate) {
  return ratio_in(time_metric, seen, candidate, reference);
}

report::value verdict_in_time(const model::workload_result& seen, std::string_view variant) {
  const auto* const baseline = timed_baseline(seen);
  if (baseline == nullptr) return std::monostate{};
  for (const auto& c : seen.comparisons) {
    if (c.metric.name == time_metric && c.judged && c.reference == baseline->series.variant &&
        c.candidate == variant)
      return std::string(name(c.verdict));
  }
  return std::monostate{};
}

}  // namespace ridge::results
