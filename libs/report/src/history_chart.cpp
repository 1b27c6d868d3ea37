// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include <ridge/report/run_charts.hpp>
#include <ridge/report/words.hpp>

#include "chart_axes.hpp"

namespace ridge::report {
namespace {

using stored_list = std::vector<const model::stored_comparison*>;

// Returns "11-23 18:25": year and seconds say nothing where runs are told apart.
std::string short_time(const std::string& started) {
  if (started.size() < 16) return started;
  return started.substr(5, 5) + ' ' + started.substr(11, 5);
}

// One problem's comparisons, the oldest first, on the runs that hold them.
struct past {
  stored_list oldest_first{};
  std::vector<std::string> runs{}, times{};

  explicit past(const stored_list& newest_first) : oldest_first(newest_first.rbegin(), newest_first.rend()) {
    for (const auto* c : oldest_first) {
      if (std::ranges::find(runs, c->run) != runs.end()) continue;
      runs.push_back(c->run);
      times.push_back(short_time(c->started));
    }
  }
  [[nodiscard]] double place(const std::string& run) const {
    return static_cast<double>(std::ranges::find(runs, run) - runs.begin());
  }
  [[nodiscard]] chart_axis axis() const { return {.label = "run, by its start (UTC)", .categories = times}; }
};

// Adds a value with its interval to the series of this name.
void add_point(std::vector<chart_series>& all, const std::string& name, chart_point point, interval ci) {
  auto at = std::ranges::find(all, name, &chart_series::name);
  if (at == all.end()) at = all.insert(at, {.name = name, .key = all.size()});
  const bool again = std::ranges::any_of(at->points, [&](const auto& p) { return p.x == point.x; });
  if (again || !std::isfinite(point.y)) return;
  at->low.push_back(std::isfinite(ci.lo) ? ci.lo : point.y);
  at->high.push_back(std::isfinite(ci.hi) ? ci.hi : point.y);
  at->points.push_back(std::move(point));
}

chart chart_of_medians(const past& runs, const model::metric& metric) {
  chart c{.x = runs.axis()};
  for (const auto* stored : runs.oldest_first) {
    for (const auto& arm : stored->row.arms)
      add_point(c.series, arm.variant,
                {runs.place(stored->run), arm.median,
                 fmt::format("{}: {}", arm.variant, with_interval(arm.median, arm.ci, arm.unit))},
                arm.ci);
  }
  c.y = value_axis(metric, c.series);
  c.y.label = "median of " + c.y.label;
  return c;
}

chart chart_of_ratios(const past& runs) {
  chart c{.x = runs.axis(), .limits = {{.value = 1, .says = "1: as good as its reference"}}};
  double least = 1, greatest = 1;
  for (const auto* stored : runs.oldest_first) {
    const auto& k = stored->row.comparison;
    if (!k.judged) continue;
    const auto name = fmt::format("{} vs {}", k.candidate, k.reference);
    add_point(c.series, name,
              {runs.place(stored->run), k.ratio,
               fmt::format("{}: {}, {}", name, ratio_with_interval(k.ratio, k.ci), model::name(k.verdict))},
              k.ci);
    if (k.ratio > 0) least = std::min(least, k.ratio), greatest = std::max(greatest, k.ratio);
  }
  c.y = {.label = "ratio (above 1: better)"};
  if (spans_decades(least, greatest)) {
    c.y.scale = chart_scale::logarithmic;
    c.y.label = "ratio (above 1: better), logarithmic";
  }
  return c;
}

}  // namespace

std::vector<chart> history_charts(std::span<const model::stored_comparison> newest_first) {
  // Runs of different machines are no history of each other.
  using series_key = std::tuple<std::string, std::string, model::backend, std::string>;
  std::map<series_key, stored_list> problems;
  std::map<series_key, std::string> metrics;
  for (const auto& stored : newest_first) {
    const series_key key{stored.row.experiment, stored.row.problem, stored.row.backend, stored.machine};
    const auto& metric = stored.row.comparison.metric.name;
    // The metric that decides comes first in every run; an older run may lack it.
    if (metrics.emplace(key, metric).first->second == metric) problems[key].push_back(&stored);
  }
  std::vector<chart> all;
  for (const auto& [key, list] : problems) {
    const auto& [experiment, problem, backend, machine] = key;
    const past runs(list);
    for (auto c : {chart_of_medians(runs, list.front()->row.comparison.metric), chart_of_ratios(runs)}) {
      c.title =
          fmt::format("{} over {} run{}", experiment, runs.runs.size(), runs.runs.size() == 1 ? "" : "s");
      c.subtitle = fmt::format("{}{}{} · {} · with intervals", name(backend), problem.empty() ? "" : " · ",
                               problem, machine);
      all.push_back(std::move(c));
    }
  }
  return all;
}

}  // namespace ridge::report
