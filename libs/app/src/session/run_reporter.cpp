// SPDX-License-Identifier: Apache-2.0
#include "session/run_reporter.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <ridge/app/interrupt.hpp>
#include <ridge/harness/session.hpp>
#include <ridge/model/json.hpp>

#include "session/planned_time.hpp"
#include "session/progress_text.hpp"

namespace ridge::app {

namespace {

bool is_one_experiment(const std::vector<harness::planned_family>& families) {
  return std::ranges::all_of(
      families, [&](const auto& f) { return f.experiment->id == families.front().experiment->id; });
}

std::size_t problems_of(const std::vector<harness::planned_family>& families, const std::string& experiment,
                        model::backend backend) {
  return static_cast<std::size_t>(std::ranges::count_if(
      families, [&](const auto& f) { return f.experiment->id == experiment && f.backend == backend; }));
}

// Returns the widest texts that the lines of these families may show.
std::vector<report::summary_row> expected_rows(const std::vector<harness::planned_family>& families) {
  std::vector<report::summary_row> rows;
  for (const auto& f : families) {
    const auto problems = problems_of(families, f.experiment->id, f.backend);
    report::summary_row row{
        .experiment = f.experiment->id,
        .backend = f.backend,
        .problem = problems == 1 ? model::text(f.problem.point()) : fmt::format("{} problems", problems)};
    row.values = problems == 1 ? report::values_of(f.problem.point()) : row.problem;
    for (const auto& v : f.experiment->variants) {
      if (v.backend == f.backend && v.is == model::role::optimized && v.name.size() > row.best.size())
        row.best = v.name;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

run_reporter::run_reporter(const context& program, run_view view, std::unique_ptr<store::store> keep)
    : program_(program),
      view_(std::move(view)),
      look_{.columns = program.out.columns, .color = program.out.colored},
      store_(std::move(keep)),
      line_(program.err),
      detailed_(view_.verbose || is_one_experiment(view_.families)),
      started_s_(harness::monotonic_seconds()),
      family_started_s_(started_s_),
      left_(planned_times_of(view_.families, view_.options, view_.missing_libraries, view_.edges,
                             view_.durations),
            started_s_) {}

void run_reporter::stored(const std::function<void(store::store&)>& action) {
  if (!store_) return;
  try {
    action(*store_);
  } catch (const failure& why) {
    store_.reset();
    line_.clear();
    program_.tell(fmt::format("{} results are printed but no longer stored: {}\n",
                              paint(program_.err, report::tone::doubtful, "ridge:"), why.why().text()));
  }
}

void run_reporter::run_started(const model::run& header) {
  stored([&](store::store& store) { store.begin(header); });
  if (view_.format != report::format::table) return;
  program_.print(report::console_header(header, look_));
  if (detailed_) return;
  lines_.emplace(expected_rows(view_.families), look_);
  program_.print('\n' + lines_->header(header));
}

void run_reporter::advanced(const harness::progress& progress) {
  const double now_s = harness::monotonic_seconds();
  left_.advance(progress.done, progress.fraction, now_s);
  double left_s = left_.seconds(now_s);
  const double budget_s = view_.options.suite_budget_s;
  if (budget_s > 0) left_s = std::max(0.0, std::min(left_s, budget_s - (now_s - started_s_)));
  line_.show(progress_text(progress, left_.share(now_s), left_s, program_.err.columns - 1));
}

// Prints the line of an experiment when the last of its problems is finished.
void run_reporter::print_line(const model::run& header, const model::family& f) {
  std::vector<const model::family*> problems;
  for (const auto& other : header.families) {
    if (other.experiment == f.experiment && other.backend == f.backend && &other != &f)
      problems.push_back(&other);
  }
  problems.push_back(&f);
  if (problems.size() < problems_of(view_.families, f.experiment, f.backend)) return;
  program_.print(lines_->line(report::summarized(problems)));
  printed_.insert({f.experiment, f.backend});
}

void run_reporter::print_unfinished_lines(const model::run& whole) {
  for (const auto& group : report::summary_groups(whole)) {
    if (!printed_.contains({group.front()->experiment, group.front()->backend}))
      program_.print(lines_->line(report::summarized(group)));
    printed_.insert({group.front()->experiment, group.front()->backend});
  }
  std::vector<report::summary_row> missing;
  for (auto& row : expected_rows(view_.families)) {
    if (printed_.insert({row.experiment, row.backend}).second) missing.push_back(std::move(row));
  }
  constexpr std::size_t most_named = 10;
  for (std::size_t i = 0; i < std::min(most_named, missing.size()); ++i) {
    missing[i].best.clear();
    missing[i].verdict = "not measured";
    missing[i].look = report::tone::dim;
    program_.print(lines_->line(missing[i]));
  }
  if (missing.size() > most_named)
    program_.print(fmt::format("and {} more that were not measured\n", missing.size() - most_named));
}

void run_reporter::family_finished(const model::run& header, const model::family& f) {
  stored([&](store::store& store) { store.commit(header.id, f); });
  const double now_s = harness::monotonic_seconds();
  if (view_.durations != nullptr) view_.durations->keep(f, view_.options, now_s - family_started_s_);
  family_started_s_ = now_s;
  line_.clear();
  if (view_.format == report::format::table && detailed_)
    program_.print('\n' + report::console_family(header, f, look_));
  if (lines_) print_line(header, f);
  if (view_.format != report::format::jsonl) return;
  for (const auto& c : f.comparisons) program_.print(model::comparison_json(header, f, c) + '\n');
}

void run_reporter::run_finished(const model::run& whole) {
  stored([&](store::store& store) { store.finish(whole); });
  line_.clear();
  if (view_.format == report::format::table) {
    if (lines_) print_unfinished_lines(whole);
    if (detailed_ && whole.families.size() > 1) program_.print('\n' + report::console_lines(whole, look_));
    program_.print('\n' + report::console_summary(whole, look_));
    if (whole.profile == "minimal" || program_.out.interactive)
      program_.print('\n' + report::console_guide(whole, look_));
  } else if (view_.format != report::format::jsonl) {
    program_.print(report::render(whole, view_.format, look_));
  }
}

bool run_reporter::wants_stop() const { return interrupted(); }

}  // namespace ridge::app
