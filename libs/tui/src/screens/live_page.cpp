// SPDX-License-Identifier: Apache-2.0
// What is being measured: the run that was started from here, or the newest of the store; its results so far;
// the machine meanwhile; and the runs before.
#include <chrono>
#include <ctime>

#include <fmt/format.h>

#include <ridge/base/units.hpp>
#include <ridge/report/summary.hpp>
#include <ridge/report/words.hpp>
#include <ridge/tui/grid.hpp>

#include "live/pulse_view.hpp"
#include "screens/run_choice.hpp"
#include "screens/screen.hpp"

namespace ridge::tui {
namespace {

// A run that began so long ago and never finished was interrupted, or its machine is gone.
constexpr double longest_run_s = 24 * 3600;

std::optional<double> seconds_since(const std::string& started) {
  std::tm parts{};
  if (strptime(started.c_str(), "%Y-%m-%dT%H:%M:%S", &parts) == nullptr) return std::nullopt;
  return std::difftime(std::time(nullptr), timegm(&parts));
}

std::string state_of(const store::run_entry& run) {
  if (run.wall_s) return format_quantity(*run.wall_s, "s");
  const auto age = seconds_since(run.started);
  return age && *age < longest_run_s ? "running?" : "unfinished";
}

report::sheet runs_sheet(const std::vector<store::run_entry>& runs) {
  using report::unit;
  report::sheet sheet{
      .key = "runs",
      .title = "Runs",
      .fields = {{.key = "shown_started", .header = "started (UTC)"},
                 {.key = "shown_run", .header = "run"},
                 {.key = "machine", .header = "machine"},
                 {.key = "profile", .header = "profile"},
                 {.key = "families", .header = "problems", .unit = unit::count},
                 {.key = "comparisons", .header = "comparisons", .unit = unit::count},
                 {.key = "shown_state", .header = "took"},
                 {.key = "run"},
                 {.key = "started"},
                 {.key = "wall_s"}},
      .empty = "No run is stored yet: `ridge run ch01`, or :run ch01 here, measures and stores."};
  for (const auto& r : runs)
    sheet.rows.push_back({.values = {short_time(r.started), short_id(r.id), r.machine, r.profile,
                                     static_cast<std::int64_t>(r.families),
                                     static_cast<std::int64_t>(r.comparisons), state_of(r), r.id, r.started,
                                     r.wall_s ? report::value(*r.wall_s) : report::value(std::monostate{})},
                          .look = r.wall_s ? report::tone::plain : report::tone::doubtful});
  return sheet;
}

// One row per problem of the newest run.
report::sheet newest_results(const model::run& run) {
  report::sheet sheet{.key = "newest",
                      .title = fmt::format("Newest run {}", short_id(run.id)),
                      .fields = {{.key = "experiment", .header = "experiment"},
                                 {.key = "problem", .header = "problem"},
                                 {.key = "best", .header = "best"},
                                 {.key = "ratio", .header = "× baseline"},
                                 {.key = "verdict", .header = "verdict"},
                                 {.key = "of_ceiling", .header = "of ceiling"},
                                 {.key = "backend", .header = "backend"},
                                 {.key = "run"}},
                      .empty = "It holds no result yet."};
  for (const auto& f : run.families) {
    const auto* const family = &f;
    const auto row = report::summarized({&family, 1});
    sheet.rows.push_back({.values = {row.experiment, row.problem, row.best, row.ratio, row.verdict,
                                     row.of_ceiling, std::string(name(row.backend)), run.id},
                          .look = row.look});
  }
  return sheet;
}

const kept_sheets& newest_of(workspace& work, store::store& store) {
  auto& kept = work.kept("live");
  auto version = work.version();
  if (version == kept.version) return kept;
  constexpr std::size_t most_runs = 200;
  kept = {std::move(version), {}, store.runs({.limit = most_runs})};
  if (const auto run = chosen_run(store, "")) kept.sheets.push_back(newest_results(*run));
  return kept;
}

std::string child_line(const started_run& run, const tui::room& space) {
  const auto& output = run.output();
  std::string text = fitted("$ " + one_line(run.command()), space.columns) + '\n';
  if (run.running()) {
    const auto& last =
        output.last().empty() && !output.lines().empty() ? output.lines().back() : output.last();
    return text + fitted(one_line(last), space.columns) + '\n';
  }
  const auto code = run.exit_code();
  if (!code) return text;
  const auto& lines = output.lines();
  const auto words =
      *code == 0      ? std::string("finished")
      : lines.empty() ? fmt::format("ended with exit code {}", *code)
                      : fitted(fmt::format("exit code {}: {}", *code, one_line(lines.back())), space.columns);
  return text + report::paint(words, *code == 0 ? report::tone::good : report::tone::doubtful, space.color) +
         '\n';
}

std::string head_text(workspace& work, const pulse_report& seen, const tui::room& space) {
  std::string text;
  if (!work.run().command().empty()) text = child_line(work.run(), space);
  return text + pulse_lines(seen, space);
}

}  // namespace

result<page> live_page(workspace& work, const results::arguments&) {
  const auto seen = work.pulse();
  page made{.schema = "ridge.tui.live/1"};
  made.head = [&work, seen](const tui::room& space) { return head_text(work, seen, space); };
  const auto store = work.store();
  if (!store) {
    made.context = "nothing is stored yet";
    made.panes.emplace_back(runs_sheet({}));
  } else {
    const auto& known = newest_of(work, **store);
    const bool going_on = !known.runs.empty() && state_of(known.runs.front()) == "running?";
    made.context = work.run().running() ? "a run started here is going on"
                   : going_on           ? "a run of another program seems to be going on"
                                        : "no run is going on; :run ch01 starts one";
    for (const auto& sheet : known.sheets) made.panes.emplace_back(sheet);
    made.panes.emplace_back(runs_sheet(known.runs));
  }
  made.panes.emplace_back(pulse_chart(seen));
  if (!work.run().command().empty()) {
    made.panes.emplace_back(text_block{.title = "Output", .text = [&work](const tui::room&) {
                                         std::string text;
                                         for (const auto& line : work.run().output().lines())
                                           text += one_line(line) + '\n';
                                         return text + one_line(work.run().output().last()) + '\n';
                                       }});
  }
  return made;
}

}  // namespace ridge::tui
