// SPDX-License-Identifier: Apache-2.0
// One metric of one variant from run to run: the list of series, the chart of one, and its points.
#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include <ridge/report/words.hpp>
#include <ridge/results/comparable.hpp>
#include <ridge/results/parameters.hpp>
#include <ridge/tui/grid.hpp>

#include "screens/run_choice.hpp"
#include "screens/screen.hpp"
#include "screens/series_levels.hpp"

namespace ridge::tui {
namespace {

using report::unit;

std::map<std::int64_t, model::workload> workloads_by_id(store::store& store,
                                                        const store::workload_query& query) {
  std::map<std::int64_t, model::workload> all;
  for (auto& w : store.workloads(query)) all.emplace(w.id, std::move(w));
  return all;
}

report::sheet list_of(const std::vector<model::measured_series>& all,
                      const std::map<std::int64_t, model::workload>& workloads) {
  report::sheet sheet{.key = "series",
                      .title = "Series",
                      .fields = {{.key = "workload", .header = "workload", .fit = all_fitted},
                                 {.key = "variant", .header = "variant"},
                                 {.key = "metric", .header = "metric"},
                                 {.key = "points", .header = "points", .unit = unit::count},
                                 {.key = "role", .header = "role"},
                                 {.key = "backend", .header = "backend"},
                                 {.key = "machine", .header = "machine"},
                                 {.key = "series", .header = "series"},
                                 {.key = "experiment"},
                                 {.key = "problem"}}};
  for (const auto& s : all) {
    const auto found = workloads.find(s.workload);
    if (found == workloads.end()) continue;
    const auto& w = found->second;
    sheet.rows.push_back(
        {.values = {results::workload_text(w), s.variant, report::metric_title(s.metric),
                    static_cast<std::int64_t>(s.points), std::string(name(s.role)),
                    std::string(name(w.backend)), w.machine, s.id, w.experiment, w.problem}});
  }
  return sheet;
}

report::chart chart_of(const model::measured_series& s, const model::workload& w,
                       const std::vector<model::measured_point>& points) {
  report::chart chart{.title = fmt::format("{} · {} · {}", results::workload_text(w), s.variant,
                                           report::metric_title(s.metric)),
                      .x = {.label = "run, the newest at the right"},
                      .y = {.label = fmt::format("median with its interval, {} is better",
                                                 s.metric.better == model::better::lower ? "less" : "more"),
                            .unit = s.metric.unit}};
  report::chart_series medians{.name = s.variant, .mark = report::chart_mark::points, .key = 0};
  report::chart_series line{.name = "", .mark = report::chart_mark::line, .key = 0};
  report::chart_series changes{.name = "another environment", .mark = report::chart_mark::points, .key = 1};
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto& p = points[i];
    const report::chart_point at{static_cast<double>(i + 1), p.median, short_time(p.started)};
    medians.points.push_back(at);
    medians.low.push_back(p.ci.lo);
    medians.high.push_back(p.ci.hi);
    line.points.push_back(at);
    if (i > 0 && points[i - 1].environment != p.environment) changes.points.push_back(at);
  }
  // Few runs stand at their times; an axis of fractions of runs says nothing.
  constexpr std::size_t few = 8;
  if (points.size() <= few) {
    chart.x.label = "run";
    chart.x.categories.emplace_back();
    for (const auto& p : points) chart.x.categories.push_back(short_time(p.started));
  }
  chart.series = {std::move(line), std::move(medians)};
  if (!changes.points.empty()) chart.series.push_back(std::move(changes));
  return chart;
}

report::sheet points_of(const model::measured_series& s, const std::vector<model::measured_point>& points) {
  report::sheet sheet{.key = "points",
                      .title = "Points",
                      .fields = {{.key = "shown_started", .header = "measured"},
                                 {.key = "shown", .header = "median"},
                                 {.key = "samples", .header = "samples", .unit = unit::count},
                                 {.key = "of_ceiling", .header = "of ceiling", .unit = unit::percent},
                                 {.key = "memory", .header = "memory", .unit = unit::bytes},
                                 {.key = "energy", .header = "energy", .unit = unit::joules},
                                 {.key = "environment", .header = "environment"},
                                 {.key = "run", .header = "run"},
                                 {.key = "started"},
                                 {.key = "median"},
                                 {.key = "lo"},
                                 {.key = "hi"}},
                      .empty = "This series has no point."};
  const auto known = [](const std::optional<double>& number, double factor) {
    return number && std::isfinite(*number) ? report::value(*number * factor)
                                            : report::value(std::monostate{});
  };
  for (const auto& p : points)
    sheet.rows.push_back(
        {.values = {short_time(p.started), report::with_interval(p.median, p.ci, s.metric.unit),
                    static_cast<std::int64_t>(p.samples), known(p.of_ceiling, 100), known(p.memory_bytes, 1),
                    known(p.energy_j, 1), p.environment, p.run, p.started, known(p.median, 1),
                    known(p.ci.lo, 1), known(p.ci.hi, 1)}});
  std::ranges::reverse(sheet.rows);
  return sheet;
}

}  // namespace

result<page> series_page(workspace& work, const results::arguments& given) {
  const auto store = work.store();
  if (!store) return store.why();
  auto query = results::workloads_asked_for(given);
  if (const auto variant = given.text("variant"); !variant.empty()) query.variant = variant;
  const auto all = (*store)->series(query);
  const auto workloads = workloads_by_id(**store, query);
  page made{.schema = "ridge.tui.series/1"};
  auto list = list_of(all, workloads);
  list.empty = results::nothing_measured(query);
  made.context = fmt::format("{} series", list.rows.size());
  made.panes.emplace_back(std::move(list));
  const auto wanted = given.count("series");
  const auto chosen =
      wanted ? std::ranges::find(all, static_cast<std::int64_t>(*wanted), &model::measured_series::id)
             : all.begin();
  if (wanted && chosen == all.end())
    return error{fmt::format("there is no series {} among these", *wanted), "choose one of the list"};
  if (chosen == all.end() || !workloads.contains(chosen->workload)) return made;
  const auto& workload = workloads.at(chosen->workload);
  const auto points =
      changes::valued((*store)->points({.series = chosen->id, .limit = *given.count("last")}));
  const auto levels = levels_of(**store, workload, *chosen, points);
  auto chart = chart_of(*chosen, workload, points);
  draw_levels(chart, levels);
  made.panes.emplace_back(std::move(chart));
  made.panes.emplace_back(changes_sheet(levels));
  made.panes.emplace_back(points_of(*chosen, points));
  made.facts = {{"series", chosen->id}};
  return made;
}

}  // namespace ridge::tui
