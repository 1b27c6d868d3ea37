// SPDX-License-Identifier: Apache-2.0
#include "sweeps.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

#include <ridge/results/comparable.hpp>

namespace ridge::analyses::scaling {
namespace {

std::optional<double> number_of(const model::axis_value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return std::nullopt;
}

bool one_place(const model::workload& a, const model::workload& b) {
  return std::tie(a.machine, a.experiment, a.backend) == std::tie(b.machine, b.experiment, b.backend);
}

std::string title_of(const model::workload& w, const std::string& axis) {
  auto others = w.axes;
  std::erase_if(others, [&](const auto& value) { return value.first == axis; });
  const auto text = model::text(others);
  return text.empty() ? w.experiment : w.experiment + ' ' + text;
}

// The axes of these results, in the order in which they are met: an experiment may have got one later.
std::vector<std::string> axes_of(std::span<const model::workload_result> place) {
  std::vector<std::string> all;
  for (const auto& seen : place)
    for (const auto& [axis, value] : seen.workload.axes)
      if (std::ranges::find(all, axis) == all.end()) all.push_back(axis);
  return all;
}

// The sweeps of one axis among the results of one experiment, machine and backend.
void add_sweeps(std::vector<sweep>& found, const std::string& axis,
                std::span<const model::workload_result> place) {
  std::vector<sweep> of_axis;
  for (const auto& seen : place) {
    const auto value = std::ranges::find(seen.workload.axes, axis, &model::problem_point::value_type::first);
    if (value == seen.workload.axes.end()) continue;
    const auto size = number_of(value->second);
    if (!size || !(*size > 0)) continue;
    const auto title = title_of(seen.workload, axis);
    auto at = std::ranges::find(of_axis, title, &sweep::title);
    if (at == of_axis.end()) at = of_axis.insert(at, {.axis = axis, .title = title});
    at->results.push_back({*size, &seen});
  }
  for (auto& one : of_axis) {
    std::ranges::stable_sort(one.results, {}, &sized_result::size);
    if (one.results.size() > 1) found.push_back(std::move(one));
  }
}

}  // namespace

std::vector<sweep> sweeps_of(std::span<const model::workload_result> all) {
  std::vector<sweep> found;
  for (std::size_t first = 0; first < all.size();) {
    auto last = first + 1;
    while (last < all.size() && one_place(all[first].workload, all[last].workload)) ++last;
    const auto place = all.subspan(first, last - first);
    for (const auto& axis : axes_of(place)) add_sweeps(found, axis, place);
    first = last;
  }
  return found;
}

std::vector<swept_variant> variants_of(const sweep& swept) {
  std::vector<swept_variant> all;
  for (const auto& [size, seen] : swept.results) {
    for (const auto* m : results::deciding(*seen)) {
      // A value that is not known, or none, shows no growth; the other sizes of its variant do.
      if (!std::isfinite(m->point.median) || !(m->point.median > 0)) continue;
      auto at = std::ranges::find_if(all, [&](const swept_variant& v) {
        return v.series->variant == m->series.variant && v.series->metric.name == m->series.metric.name;
      });
      if (at == all.end()) at = all.insert(at, {.series = &m->series});
      at->points.push_back({size, seen, m});
    }
  }
  return all;
}

}  // namespace ridge::analyses::scaling
