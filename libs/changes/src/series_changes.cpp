// SPDX-License-Identifier: Apache-2.0
#include <ridge/changes/series_changes.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

#include <ridge/stats/change_points.hpp>
#include <ridge/stats/multiplicity.hpp>

#include "series_rows.hpp"

namespace ridge::changes {
namespace {

constexpr std::array<std::string_view, 4> all_states{"untriaged", "confirmed", "expected", "noise"};

// Fills segments, changes and what is watched from changes whose index and p are known.
void describe(series_changes& seen, std::span<const model::measured_point> points,
              const std::vector<change>& known, const rules& rules) {
  std::vector<std::size_t> starts;
  for (const auto& one : known) starts.push_back(one.index);
  seen.segments = segments_of(points, starts);
  seen.changes.clear();
  const auto seed = seed_of(seen.workload, seen.series);
  for (std::size_t i = 0; i < known.size(); ++i) {
    auto made =
        change_between(points, seen.segments[i], seen.segments[i + 1], seen.series.metric.better, seed);
    made.p = known[i].p;
    made.q = known[i].q;
    seen.changes.push_back(std::move(made));
  }
  if (!seen.segments.empty())
    seen.watching = watch(points.subspan(seen.segments.back().begin), seen.series.metric.better, rules);
}

}  // namespace

std::string_view name(direction d) { return d == direction::better ? "better" : "worse"; }

std::span<const std::string_view> states() { return all_states; }

std::vector<model::measured_point> valued(std::vector<model::measured_point> points) {
  std::erase_if(points, [](const model::measured_point& p) { return !std::isfinite(p.median); });
  return points;
}

series_changes search(const model::workload& workload, const model::measured_series& series,
                      std::span<const model::measured_point> points, const rules& rules, std::size_t tests) {
  const auto scan =
      stats::find_changes(medians_of(points), {.alpha = rules.alpha,
                                               .min_effect = rules.min_effect,
                                               .fewest = rules.fewest,
                                               .resamples = stats::resamples_for(tests, rules.false_share),
                                               .seed = seed_of(workload, series)});
  series_changes seen{.workload = workload, .series = series, .points = points.size()};
  seen.enough = points.size() >= 2 * rules.fewest + 2;
  seen.tested = scan.tested;
  std::vector<change> known;
  for (const auto& one : scan.changes) known.push_back({.index = one.index, .p = one.p, .q = one.p});
  describe(seen, points, known, rules);
  return seen;
}

void correct_together(
    std::span<series_changes> all,
    const std::function<std::vector<model::measured_point>(const series_changes&)>& points_of,
    const rules& rules) {
  std::vector<double> tested;
  for (const auto& one : all) tested.insert(tested.end(), one.tested.begin(), one.tested.end());
  const auto adjusted = stats::benjamini_hochberg(tested);
  std::unordered_map<double, double> q_of_p;  // equal p have equal q
  for (std::size_t i = 0; i < tested.size(); ++i) q_of_p.emplace(tested[i], adjusted[i]);
  const auto q_of = [&](double p) {
    const auto found = q_of_p.find(p);
    return found == q_of_p.end() ? 1.0 : found->second;
  };
  for (auto& seen : all) {
    auto known = seen.changes;
    for (auto& one : known) one.q = q_of(one.p);
    std::erase_if(known, [&](const change& one) { return one.q > rules.false_share; });
    if (known.size() != seen.changes.size()) {
      describe(seen, points_of(seen), known, rules);
    } else {
      seen.changes = std::move(known);
    }
  }
}

}  // namespace ridge::changes
