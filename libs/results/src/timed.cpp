// SPDX-License-Identifier: Apache-2.0
#include <ridge/results/timed.hpp>

#include <algorithm>
#include <iterator>

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
  for (const auto& c : seen.comparisons) {
    if (c.metric.name != time_metric) continue;
    if (c.reference == reference && c.candidate == candidate) return paired_ratio{c.ratio, c.ci};
    if (c.reference == candidate && c.candidate == reference)
      return paired_ratio{1 / c.ratio, {1 / c.ci.hi, 1 / c.ci.lo}};
  }
  return std::nullopt;
}

bool is_invalid(const model::workload_result& seen, std::string_view variant) {
  return std::ranges::any_of(seen.comparisons, [&](const model::comparison& c) {
    return c.candidate == variant && c.verdict == model::verdict::invalid;
  });
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

std::vector<report::field> workload_fields_and(std::vector<report::field> others) {
  std::vector<report::field> all{{.key = "workload", .header = "workload"},
                                 {.key = "machine", .header = "machine"},
                                 {.key = "backend", .header = "backend"}};
  std::ranges::move(others, std::back_inserter(all));
  return all;
}

std::vector<report::value> workload_values_and(const model::workload& workload,
                                               std::vector<report::value> others) {
  std::vector<report::value> all{workload_text(workload), workload.machine,
                                 std::string(name(workload.backend))};
  std::ranges::move(others, std::back_inserter(all));
  return all;
}

}  // namespace ridge::results
