// SPDX-License-Identifier: Apache-2.0
#include "screens/series_levels.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <ridge/base/units.hpp>
#include <ridge/changes/environment_differences.hpp>
#include <ridge/report/words.hpp>

#include "screens/run_choice.hpp"

namespace ridge::tui {
namespace {

void add_environments(store::store& store, const std::vector<model::measured_point>& points,
                      changes::change& change) {
  const auto &before = points[change.index - 1], &after = points[change.index];
  if (before.environment == after.environment) return;
  const auto first = store.environment(before.environment), second = store.environment(after.environment);
  if (first && second) change.environment = changes::environment_differences(*first, *second);
}

std::string environment_words(const changes::change& change) {
  std::string text;
  for (const auto& fact : change.environment)
    text += fmt::format("{}{}: {} -> {}", text.empty() ? "" : "; ", fact.fact, fact.before, fact.after);
  return text;
}

}  // namespace

changes::series_changes levels_of(store::store& store, const model::workload& workload,
                                  const model::measured_series& series,
                                  const std::vector<model::measured_point>& points) {
  auto seen = changes::search(workload, series, points, {}, 1);
  const auto notes = seen.changes.empty() ? std::vector<model::change_note>{} : store.notes();
  for (auto& change : seen.changes) {
    if (change.index > 0) add_environments(store, points, change);
    for (const auto& note : notes) {
      if (note.series != series.id || note.run != change.run) continue;
      change.state = note.state;
      change.note = note.note;
    }
  }
  return seen;
}

void draw_levels(report::chart& chart, const changes::series_changes& seen) {
  constexpr std::size_t level_key = 2, change_key = 3;
  if (seen.segments.size() > 1) {
    for (const auto& s : seen.segments) {
      const auto begin = static_cast<double>(s.begin + 1), end = static_cast<double>(s.end);
      chart.series.push_back({.name = "",
                              .mark = report::chart_mark::line,
                              .points = {{begin, s.median, ""}, {end, s.median, ""}},
                              .key = level_key});
    }
  }
  report::chart_series marks{.name = "change", .mark = report::chart_mark::points, .key = change_key};
  for (const auto& change : seen.changes)
    marks.points.push_back(
        {static_cast<double>(change.index + 1), change.after, std::string(name(change.direction))});
  if (!marks.points.empty()) chart.series.push_back(std::move(marks));
}

report::sheet changes_sheet(const changes::series_changes& seen) {
  report::sheet sheet{.key = "changes",
                      .title = "Changes",
                      .fields = {{.key = "shown_started", .header = "first run after"},
                                 {.key = "direction", .header = "direction"},
                                 {.key = "shown_ratio", .header = "ratio [95 %]"},
                                 {.key = "levels", .header = "levels"},
                                 {.key = "p", .header = "p", .unit = report::unit::number},
                                 {.key = "state", .header = "state"},
                                 {.key = "environment", .header = "what differs of the environment"},
                                 {.key = "note", .header = "note"},
                                 {.key = "run", .header = "run"},
                                 {.key = "ratio"},
                                 {.key = "ratio_lo"},
                                 {.key = "ratio_hi"}}};
  const auto& unit = seen.series.metric.unit;
  for (const auto& c : seen.changes) {
    const bool known = std::isfinite(c.ratio);
    const auto number = [&](double value) {
      return known ? report::value(value) : report::value(std::monostate{});
    };
    sheet.rows.push_back(
        {.values = {short_time(c.started), std::string(name(c.direction)),
                    known ? report::value(report::ratio_with_interval(c.ratio, c.ci))
                          : report::value(std::monostate{}),
                    fmt::format("{} -> {}", format_quantity(c.before, unit), format_quantity(c.after, unit)),
                    c.p, c.state, environment_words(c), c.note, c.run, number(c.ratio), number(c.ci.lo),
                    number(c.ci.hi)},
         .look = c.direction == changes::direction::worse ? report::tone::bad : report::tone::good});
  }
  std::ranges::reverse(sheet.rows);
  sheet.empty = seen.enough ? fmt::format("The level has not changed over {} runs.", seen.points)
                            : fmt::format("{} run{} too few to tell a change; `ridge run` adds one.",
                                          seen.points, seen.points == 1 ? " is" : "s are");
  return sheet;
}

}  // namespace ridge::tui
