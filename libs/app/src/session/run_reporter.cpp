// SPDX-License-Identifier: Apache-2.0
#include "session/run_reporter.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <ridge/app/interrupt.hpp>
#include <ridge/harness/session.hpp>
#include <ridge/model/json.hpp>

namespace ridge::app {

run_reporter::run_reporter(const context& program, report::format format, std::unique_ptr<store::store> keep,
                           double budget_s)
    : program_(program),
      format_(format),
      look_{.columns = program.out.columns, .color = program.out.colored},
      store_(std::move(keep)),
      line_(program.err),
      budget_s_(budget_s),
      started_s_(harness::monotonic_seconds()) {}

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
  if (format_ == report::format::table) program_.print(report::console_header(header, look_));
}

void run_reporter::advanced(const harness::progress& progress) {
  const double share =
      (static_cast<double>(progress.done) + progress.fraction) / static_cast<double>(progress.total);
  double left_s = progress.remaining_s;
  if (budget_s_ > 0) left_s = std::min(left_s, budget_s_ - (harness::monotonic_seconds() - started_s_));
  const auto left = left_s > 0 ? fmt::format(", {} left", duration_text(left_s)) : "";
  line_.show(fmt::format("{} {}/{} {} {} {}{}", bar(share), progress.done + 1, progress.total,
                         progress.experiment, progress.problem, progress.stage, left));
}

void run_reporter::family_finished(const model::run& header, const model::family& f) {
  stored([&](store::store& store) { store.commit(header.id, f); });
  line_.clear();
  if (format_ == report::format::table) program_.print('\n' + report::console_family(header, f, look_));
  if (format_ != report::format::jsonl) return;
  for (const auto& c : f.comparisons) program_.print(model::comparison_json(header, f, c) + '\n');
}

void run_reporter::run_finished(const model::run& whole) {
  stored([&](store::store& store) { store.finish(whole.id, whole.wall_s); });
  line_.clear();
  if (format_ == report::format::table) {
    program_.print('\n' + report::console_summary(whole, look_));
    if (whole.profile == "minimal" || program_.out.interactive)
      program_.print('\n' + report::console_guide(whole, look_));
  } else if (format_ != report::format::jsonl) {
    program_.print(report::render(whole, format_, look_));
  }
}

bool run_reporter::wants_stop() const { return interrupted(); }

}  // namespace ridge::app
