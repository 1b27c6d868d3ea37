// SPDX-License-Identifier: Apache-2.0
#include "session/run_reporter.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <ridge/app/interrupt.hpp>
#include <ridge/harness/session.hpp>
#include <ridge/model/json.hpp>

namespace ridge::app {

run_reporter::run_reporter(const context& in, report::format as, std::unique_ptr<store::store> keep,
                           double budget_s)
    : in_(in),
      as_(as),
      with_{.columns = in.out.columns, .color = in.out.colored},
      keep_(std::move(keep)),
      line_(in.err),
      budget_s_(budget_s),
      started_s_(harness::monotonic_seconds()) {}

void run_reporter::stored(const std::function<void(store::store&)>& action) {
  if (!keep_) return;
  try {
    action(*keep_);
  } catch (const failure& why) {
    keep_.reset();
    line_.clear();
    in_.tell(fmt::format("{} results are printed but no longer stored: {}\n",
                         paint(in_.err, report::tone::doubtful, "ridge:"), why.why().text()));
  }
}

void run_reporter::run_started(const model::run& header) {
  stored([&](store::store& to) { to.begin(header); });
  if (as_ == report::format::table) in_.print(report::console_header(header, with_));
}

void run_reporter::advanced(const harness::progress& where) {
  const double share = (static_cast<double>(where.done) + where.fraction) / static_cast<double>(where.total);
  double left_s = where.remaining_s;
  if (budget_s_ > 0) left_s = std::min(left_s, budget_s_ - (harness::monotonic_seconds() - started_s_));
  const auto left = left_s > 0 ? fmt::format(", {} left", duration_text(left_s)) : "";
  line_.show(fmt::format("{} {}/{} {} {} {}{}", bar(share), where.done + 1, where.total, where.experiment,
                         where.problem, where.stage, left));
}

void run_reporter::family_finished(const model::run& header, const model::family& f) {
  stored([&](store::store& to) { to.commit(header.id, f); });
  line_.clear();
  if (as_ == report::format::table) in_.print('\n' + report::console_family(header, f, with_));
  if (as_ != report::format::jsonl) return;
  for (const auto& c : f.comparisons) in_.print(model::comparison_json(header, f, c) + '\n');
}

void run_reporter::run_finished(const model::run& whole) {
  stored([&](store::store& to) { to.finish(whole.id, whole.wall_s); });
  line_.clear();
  if (as_ == report::format::table) {
    in_.print('\n' + report::console_summary(whole, with_));
    if (whole.profile == "minimal" || in_.out.interactive)
      in_.print('\n' + report::console_guide(whole, with_));
  } else if (as_ != report::format::jsonl) {
    in_.print(report::render(whole, as_, with_));
  }
}

bool run_reporter::wants_stop() const { return interrupted(); }

}  // namespace ridge::app
