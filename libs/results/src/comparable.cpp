// SPDX-License-Identifier: Apache-2.0
#include <ridge/results/comparable.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include <ridge/base/text.hpp>

namespace ridge::results {

bool is_invalid(const model::workload_result& seen, std::string_view variant) {
  return std::ranges::any_of(seen.comparisons, [&](const model::comparison& c) {
    return c.candidate == variant && c.verdict == model::verdict::invalid;
  });
}

std::vector<const model::latest_measurement*> deciding(const model::workload_result& seen) {
  std::vector<const model::latest_measurement*> all;
  for (const auto& m : seen.measurements) {
    if (all.empty() || all.back()->series.variant != m.series.variant) all.push_back(&m);
  }
  std::erase_if(all, [&](const auto* m) { return is_invalid(seen, m->series.variant); });
  return all;
}

const model::latest_measurement* baseline_of(const model::workload_result& seen) {
  const auto all = deciding(seen);
  const auto found =
      std::ranges::find_if(all, [](const auto* m) { return m->series.role == model::role::baseline; });
  return found == all.end() ? nullptr : *found;
}

const model::comparison* compared(const model::workload_result& seen, std::string_view reference,
                                  std::string_view candidate) {
  if (seen.measurements.empty()) return nullptr;
  const auto& metric = seen.measurements.front().series.metric.name;
  const auto found = std::ranges::find_if(seen.comparisons, [&](const model::comparison& c) {
    return c.metric.name == metric && c.reference == reference && c.candidate == candidate;
  });
  return found == seen.comparisons.end() ? nullptr : &*found;
}

std::optional<paired_ratio> ratio_in(std::string_view metric, const model::workload_result& seen,
                                     std::string_view first, std::string_view second) {
  for (const auto& c : seen.comparisons) {
    if (c.metric.name != metric) continue;
    if (c.reference == second && c.candidate == first) return paired_ratio{c.ratio, c.ci};
    if (c.reference == first && c.candidate == second)
      return paired_ratio{1 / c.ratio, {1 / c.ci.hi, 1 / c.ci.lo}};
  }
  return std::nullopt;
}

std::optional<paired_ratio> ratio_of(const model::workload_result& seen, std::string_view first,
                                     std::string_view second) {
  if (seen.measurements.empty()) return std::nullopt;
  return ratio_in(seen.measurements.front().series.metric.name, seen, first, second);
}

bool tied(const model::workload_result& seen, const model::latest_measurement& first,
          const model::latest_measurement& second) {
  if (const auto r = ratio_of(seen, first.series.variant, second.series.variant))
    return r->ci.lo <= 1 && r->ci.hi >= 1;
  return first.point.ci.lo <= second.point.ci.hi && second.point.ci.lo <= first.point.ci.hi;
}

std::optional<double> memory_of(const model::measured_point& point) {
  const double bytes = point.array_bytes + point.memory_bytes.value_or(0);
  return bytes > 0 ? std::optional(bytes) : std::nullopt;
}

report::value known_or_unknown(double number) {
  return std::isfinite(number) ? report::value(number) : report::value(std::monostate{});
}

report::value known_or_unknown(std::optional<double> number) {
  return number ? known_or_unknown(*number) : report::value(std::monostate{});
}

void rank_values(std::vector<ranked>& values, bool less_is_better,
                 const std::function<bool(const ranked&, const ranked&)>& same) {
  std::ranges::stable_sort(values, [&](const ranked& a, const ranked& b) {
    return less_is_better ? a.value < b.value : a.value > b.value;
  });
  std::size_t first = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0 && !same(values[first], values[i])) first = i;
    values[i].rank = static_cast<int>(first) + 1;
  }
}

void fold_common(report::sheet& sheet, std::initializer_list<std::string_view> keys) {
  if (sheet.rows.empty()) return;
  std::vector<std::string> common;
  for (const auto key : keys) {
    const auto field = std::ranges::find(sheet.fields, key, &report::field::key);
    if (field == sheet.fields.end()) continue;
    const auto at = static_cast<std::size_t>(field - sheet.fields.begin());
    const auto& first = sheet.rows.front().values[at];
    if (!std::ranges::all_of(sheet.rows, [&](const auto& row) { return row.values[at] == first; })) continue;
    if (auto text = report::shown(first, field->unit); !text.empty())
      common.push_back(fmt::format("{} {}", field->header, text));
    field->header.clear();
  }
  if (!common.empty()) sheet.title += fmt::format(" ({})", join(common, ", "));
}

std::string workload_text(const model::workload& w) {
  return w.problem.empty() ? w.experiment : fmt::format("{} {}", w.experiment, w.problem);
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
