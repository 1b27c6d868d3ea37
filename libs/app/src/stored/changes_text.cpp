// SPDX-License-Identifier: Apache-2.0
#include "stored/changes_text.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include <ridge/base/escape.hpp>
#include <ridge/base/units.hpp>
#include <ridge/report/table.hpp>
#include <ridge/report/words.hpp>

namespace ridge::app {
namespace {

constexpr std::size_t end_of_id = 6;  // length of the end of an id; its beginning is the time
constexpr std::size_t day = 10;       // length of the date in ISO 8601

report::tone tone_of(changes::direction direction) {
  return direction == changes::direction::worse ? report::tone::bad : report::tone::good;
}

std::string fact_text(const changes::fact_difference& fact) {
  const auto shown = [](const std::string& value) { return value.empty() ? "unknown" : value; };
  return fmt::format("{}: {} -> {}", fact.fact, shown(fact.before), shown(fact.after));
}

std::string levels_text(double before, double after, const std::string& unit) {
  return fmt::format("{} -> {}", format_quantity(before, unit), format_quantity(after, unit));
}

void add(report::table& table, const changes::series_changes& seen, const changes::change& one) {
  table.row({{"near " + run_text(one.run, one.started)},
             {levels_text(one.before, one.after, seen.series.metric.unit)},
             {report::ratio_with_interval(one.ratio, one.ci)},
             {std::string(changes::name(one.direction)), tone_of(one.direction)},
             {q_text(one.q)},
             {one.state}});
  for (const auto& fact : one.environment) table.note(fact_text(fact), 4);
  if (!one.note.empty()) table.note("\"" + one.note + "\"", 4);
}

void add(report::table& table, const changes::series_changes& seen, const changes::watched& one) {
  const auto more = one.runs == 1 ? "newest run" : fmt::format("newest {} runs", one.runs);
  table.row({{more},
             {levels_text(one.level, one.value, seen.series.metric.unit)},
             {"-"},
             {std::string(changes::name(one.direction)), tone_of(one.direction)},
             {"-"},
             {"watching"}});
}

std::string of_one(const changes::series_changes& seen, const terminal& screen) {
  using report::align;
  report::table table({{""}, {"", align::right}, {"", align::right}, {""}, {""}, {""}});
  if (seen.watching) add(table, seen, *seen.watching);
  for (auto one = seen.changes.rbegin(); one != seen.changes.rend(); ++one) add(table, seen, *one);
  return fmt::format(
      "{}  series {}\n{}",
      paint(screen, report::tone::strong, terminal_escaped(series_text(seen.workload, seen.series))),
      seen.series.id, table.text(layout_on(screen, 2)));
}

// Returns when a series changed last; what is watched is newer than any change.
std::string newest_of(const changes::series_changes& seen) {
  return seen.watching ? "~" : seen.changes.back().run;
}

std::string counts_text(std::span<const changes::series_changes> all) {
  std::size_t found = 0, changed = 0, watched = 0, short_ones = 0;
  for (const auto& one : all) {
    found += one.changes.size();
    if (!one.changes.empty()) ++changed;
    if (one.watching) ++watched;
    if (!one.enough) ++short_ones;
  }
  auto text =
      fmt::format("{} change{} in {} of {} series", found, found == 1 ? "" : "s", changed, all.size());
  if (watched > 0) text += fmt::format("; {} watched: another run or two will tell", watched);
  if (short_ones > 0)
    text += fmt::format("; {} of them {} fewer than {} runs, too few to tell", short_ones,
                        short_ones == 1 ? "has" : "have", changes::rules{}.enough());
  text += '\n';
  if (found > 0) text += "`ridge triage SERIES RUN confirmed|expected|noise` keeps what a change is.\n";
  return text;
}

}  // namespace

std::string changes_text(std::span<const changes::series_changes> all, const terminal& screen) {
  std::vector<const changes::series_changes*> shown;
  for (const auto& one : all) {
    if (!one.changes.empty() || one.watching) shown.push_back(&one);
  }
  std::ranges::stable_sort(shown, [](const auto* a, const auto* b) { return newest_of(*a) > newest_of(*b); });
  std::string text;
  for (const auto* one : shown) text += of_one(*one, screen) + '\n';
  return text + counts_text(all);
}

std::string series_text(const model::workload& workload, const model::measured_series& series) {
  auto text = workload.experiment;
  if (!workload.problem.empty()) text += ' ' + workload.problem;
  text += ' ' + series.variant;
  if (series.metric.name != model::metric{}.name) text += ' ' + report::metric_title(series.metric);
  return text;
}

std::string q_text(double q) { return q < 1e-4 ? "q < 0.0001" : fmt::format("q {:.2g}", q); }

std::string run_text(const std::string& run, const std::string& started) {
  return started.substr(0, day) + ' ' + run.substr(run.size() - std::min(end_of_id, run.size()));
}

}  // namespace ridge::app
