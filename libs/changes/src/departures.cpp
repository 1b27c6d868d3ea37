// SPDX-License-Identifier: Apache-2.0
#include <ridge/changes/departures.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <ridge/base/expects.hpp>
#include <ridge/stats/change_points.hpp>
#include <ridge/stats/median.hpp>
#include <ridge/stats/multiplicity.hpp>
#include <ridge/stats/special.hpp>

#include "series_rows.hpp"

namespace ridge::changes {
namespace {

constexpr std::size_t fewest_for_spread = 5;

// Returns the probability of a value at least so far from the median of these, were it one of them.
double p_of(const std::vector<double>& level, double center, double value) {
  const auto n = static_cast<double>(level.size());
  const double deviation = robust_deviation(level) * std::sqrt(1 + 1 / n);
  if (!(deviation > 0)) return value == center ? 1 : 0;
  return 2 * stats::student_t_cdf(-std::abs(value - center) / deviation, n - 1);
}

bool apart(interval a, interval b) { return a.hi < b.lo || b.hi < a.lo; }

double ratio_of(double before, double after, model::better better) {
  if (!(before > 0) || !(after > 0)) return std::numeric_limits<double>::quiet_NaN();
  return better == model::better::higher ? after / before : before / after;
}

std::span<const model::measured_point> newest_level(const model::workload& workload,
                                                    const model::measured_series& series,
                                                    std::span<const model::measured_point> baseline,
                                                    const rules& rules) {
  const auto seen = search(workload, series, baseline, rules, 1);
  return baseline.subspan(seen.segments.back().begin);
}

const model::change_note* accepted_since(const std::vector<model::change_note>& notes,
                                         const model::measured_series& series, const std::string& last_run) {
  const model::change_note* newest = nullptr;
  for (const auto& note : notes) {
    const bool accepted = note.state == "expected" || note.state == "noise";
    if (accepted && note.series == series.id && note.run > last_run) newest = &note;
  }
  return newest;
}

}  // namespace

departure departure_of(const model::workload& workload, const model::measured_series& series,
                       std::span<const model::measured_point> baseline, const model::measured_point& newest,
                       const rules& rules) {
  expects(!baseline.empty(), "departure_of: at least one run of the baseline");
  const auto level = newest_level(workload, series, baseline, rules);
  const auto values = medians_of(level);
  const double center = stats::median(values);
  departure made{.newest = newest,
                 .last_baseline_run = baseline.back().run,
                 .baseline_environment = baseline.back().environment,
                 .baseline_runs = level.size(),
                 .level = center,
                 .ratio = ratio_of(center, newest.median, series.metric.better),
                 .direction = direction_of(center, newest.median, series.metric.better)};
  if (values.size() >= fewest_for_spread) {
    made.p = p_of(values, center, newest.median);
  } else {
    made.stands_out =
        stats::relative_step(center, newest.median) >= rules.min_effect &&
        std::ranges::all_of(level, [&](const auto& point) { return apart(point.ci, newest.ci); });
  }
  return made;
}

void judge_together(std::span<departure* const> all, const rules& rules) {
  std::vector<double> p;
  for (const auto* one : all) {
    if (one->p) p.push_back(*one->p);
  }
  const auto adjusted = stats::benjamini_hochberg(p);
  auto next = adjusted.begin();
  for (auto* one : all) {
    if (!one->p) continue;
    one->q = *next++;
    one->stands_out = one->q <= rules.false_share &&
                      stats::relative_step(one->level, one->newest.median) >= rules.min_effect;
  }
}

std::vector<gated_series> departures_of(store::store& results, const store::workload_query& query,
                                        const std::function<bool(const model::measured_point&)>& is_baseline,
                                        const rules& rules) {
  const auto workloads = results.workloads(query);
  const auto notes = results.notes();
  std::vector<gated_series> all;
  for (const auto& series : results.series(query)) {
    const auto known = std::ranges::find(workloads, series.workload, &model::workload::id);
    gated_series one{.workload = known == workloads.end() ? model::workload{} : *known, .series = series};
    const auto points = valued(results.points({.series = series.id, .limit = rules.newest_runs}));
    std::vector<model::measured_point> baseline;
    std::ranges::copy_if(points, std::back_inserter(baseline), is_baseline);
    if (points.empty()) {
      one.unknown = "no run has a value";
    } else if (is_baseline(points.back())) {
      one.unknown = "not measured since the baseline";
    } else if (baseline.empty()) {
      one.unknown = "no run of the baseline";
    } else {
      one.seen = departure_of(one.workload, series, baseline, points.back(), rules);
      if (const auto* note = accepted_since(notes, series, one.seen->last_baseline_run)) one.said = *note;
    }
    all.push_back(std::move(one));
  }
  std::vector<departure*> seen;
  for (auto& one : all) {
    if (one.seen) seen.push_back(&*one.seen);
  }
  judge_together(seen, rules);
  return all;
}

}  // namespace ridge::changes
