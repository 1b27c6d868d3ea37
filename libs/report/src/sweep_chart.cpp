// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include <fmt/format.h>

#include <ridge/base/units.hpp>
#include <ridge/report/run_charts.hpp>
#include <ridge/report/summary.hpp>
#include <ridge/report/words.hpp>

#include "chart_axes.hpp"

namespace ridge::report {
namespace {

using problems = std::vector<const model::family*>;

const model::axis_value* value_on(const model::family& family, const std::string& axis) {
  for (const auto& [name, value] : family.problem) {
    if (name == axis) return &value;
  }
  return nullptr;
}

// Returns the different values of an axis, in the order in which they were measured.
std::vector<model::axis_value> values_on(const problems& group, const std::string& axis) {
  std::vector<model::axis_value> all;
  for (const auto* family : group) {
    const auto* value = value_on(*family, axis);
    if (value != nullptr && std::ranges::find(all, *value) == all.end()) all.push_back(*value);
  }
  return all;
}

// Returns the axis that has the most values, the first of equals; empty where none has two. Families of one
// file may have been measured by programs whose experiment had other axes.
std::string swept_axis(const problems& group) {
  std::string best;
  std::size_t most = 1;
  for (const auto* family : group) {
    for (const auto& [axis, value] : family->problem) {
      const auto count = values_on(group, axis).size();
      if (count > most) most = count, best = axis;
    }
  }
  return best;
}

std::optional<double> number_of(const model::axis_value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return std::nullopt;
}

// The horizontal axis of a sweep, and where a value stands on it.
struct sweep_axis {
  std::string name{};
  std::vector<model::axis_value> values{};
  chart_axis shown{};

  sweep_axis(const problems& group, const std::string& axis) : name(axis), values(values_on(group, axis)) {
    shown.label = axis;
    const bool numbers = std::ranges::all_of(values, [](const auto& v) { return number_of(v).has_value(); });
    if (!numbers) {
      for (const auto& v : values) shown.categories.push_back(model::text(v));
      return;
    }
    double least = HUGE_VAL, greatest = -HUGE_VAL;
    bool whole = true;
    for (const auto& v : values) {
      least = std::min(least, *number_of(v));
      greatest = std::max(greatest, *number_of(v));
      whole = whole && std::holds_alternative<std::int64_t>(v);
    }
    if (least > 0 && greatest >= 8 * least) {
      shown.scale = chart_scale::logarithmic;
      shown.label += ", logarithmic";
      if (whole) shown.unit = "n";
    }
  }

  [[nodiscard]] double place(const model::axis_value& value) const {
    if (shown.categories.empty()) return *number_of(value);
    return static_cast<double>(std::ranges::find(values, value) - values.begin());
  }
};

void sort_by_place(chart_series& s) {
  std::vector<std::size_t> order(s.points.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return s.points[i].x; });
  auto sorted = s;
  for (std::size_t i = 0; i < order.size(); ++i) {
    sorted.points[i] = s.points[order[i]];
    if (!s.low.empty()) sorted.low[i] = s.low[order[i]], sorted.high[i] = s.high[order[i]];
  }
  s = std::move(sorted);
}

std::vector<std::string> variants_of(const problems& group) {
  std::vector<std::string> names;
  for (const auto* family : group) {
    for (const auto& m : family->measurements) {
      if (std::ranges::find(names, m.variant) == names.end()) names.push_back(m.variant);
    }
  }
  return names;
}

chart_series curve_of(const problems& group, const std::string& variant, std::size_t key,
                      const sweep_axis& axis, const model::metric& metric) {
  chart_series s{.name = variant, .key = key};
  for (const auto* family : group) {
    const auto* m = find(*family, variant);
    const auto* seen = m ? find(*m, metric.name) : nullptr;
    if (seen == nullptr || !std::isfinite(seen->median)) continue;
    const auto& value = *value_on(*family, axis.name);
    s.points.push_back({axis.place(value), seen->median,
                        fmt::format("{}, {}={}: {}", variant, axis.name, model::text(value),
                                    with_interval(seen->median, seen->ci, metric.unit))});
    const bool known = std::isfinite(seen->ci.lo) && std::isfinite(seen->ci.hi);
    s.low.push_back(known ? seen->ci.lo : seen->median);
    s.high.push_back(known ? seen->ci.hi : seen->median);
  }
  sort_by_place(s);
  return s;
}

// Returns the times that the ceilings allow. A ceiling and the work of the problem give one time, whichever
// variant it was read beside.
std::vector<chart_series> ceilings_of(const problems& group, std::size_t first_key, const sweep_axis& axis,
                                      const model::metric& metric) {
  std::map<std::string, chart_series> by_ceiling;
  for (const auto* family : group) {
    for (const auto& m : family->measurements) {
      const auto* seen = find(m, metric.name);
      if (seen == nullptr || !m.of_ceiling || m.ceiling.empty() || !std::isfinite(*m.of_ceiling)) continue;
      auto& s = by_ceiling[m.ceiling];
      const double x = axis.place(*value_on(*family, axis.name));
      if (std::ranges::any_of(s.points, [&](const auto& p) { return p.x == x; })) continue;
      s.points.push_back({x, seen->median * *m.of_ceiling});
    }
  }
  std::vector<chart_series> all;
  for (auto& [ceiling, s] : by_ceiling) {
    s.name = "ceiling " + ceiling;
    s.mark = chart_mark::dashed;
    s.key = first_key + all.size();
    sort_by_place(s);
    all.push_back(std::move(s));
  }
  return all;
}

chart chart_of_sweep(const problems& group, const std::string& axis_name, const std::string& fixed,
                     double level) {
  const auto& first = *group.front();
  const auto metric = primary_metric(first);
  const sweep_axis axis(group, axis_name);
  // A title that differs between the problems says something of one of them.
  const bool same_title = std::ranges::all_of(group, [&](const auto* f) { return f->title == first.title; });
  chart c{.title = fmt::format("{}{} over {}", first.experiment,
                               first.title.empty() || !same_title ? "" : ": " + first.title, axis_name),
          .subtitle = fmt::format("{}{}{} · median and {:.3g} % interval{}", name(first.backend),
                                  fixed.empty() ? "" : " · ", fixed, level * 100,
                                  metric.unit == "s" ? " · dashed: the measured ceilings allow no less" : ""),
          .x = axis.shown};
  const auto variants = variants_of(group);
  for (std::size_t i = 0; i < variants.size(); ++i) {
    auto s = curve_of(group, variants[i], i, axis, metric);
    if (!s.points.empty()) c.series.push_back(std::move(s));
  }
  if (metric.unit == "s")
    std::ranges::move(ceilings_of(group, variants.size(), axis, metric), std::back_inserter(c.series));
  c.y = value_axis(metric, c.series);
  return c;
}

}  // namespace

std::vector<chart> sweep_charts(const model::run& run) {
  std::vector<chart> all;
  for (const auto& group : summary_groups(run)) {
    const auto axis = swept_axis(group);
    if (axis.empty()) continue;
    std::vector<std::pair<std::string, problems>> parts;
    for (const auto* family : group) {
      if (value_on(*family, axis) == nullptr) continue;  // it has no place on the axis
      auto others = family->problem;
      std::erase_if(others, [&](const auto& entry) { return entry.first == axis; });
      const auto fixed = model::text(others);
      auto at = std::ranges::find(parts, fixed, [](const auto& part) { return part.first; });
      if (at == parts.end()) at = parts.insert(at, {fixed, {}});
      at->second.push_back(family);
    }
    for (const auto& [fixed, families] : parts) {
      if (values_on(families, axis).size() > 1)
        all.push_back(chart_of_sweep(families, axis, fixed, run.level));
    }
  }
  return all;
}

}  // namespace ridge::report
