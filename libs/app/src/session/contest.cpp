// SPDX-License-Identifier: Apache-2.0
#include "session/contest.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <ridge/app/amounts.hpp>
#include <ridge/app/interrupt.hpp>
#include <ridge/app/progress_line.hpp>
#include <ridge/model/json.hpp>
#include <ridge/report/render.hpp>

namespace ridge::app {

namespace {

// Removes the rounds that an interrupt left without times.
void drop_unfinished_rounds(harness::session_record& record) {
  std::uint64_t finished = record.rounds;
  for (const auto& arm : record.arms) {
    for (std::size_t i = 0; i < arm.seconds.size(); ++i) {
      if (std::isnan(arm.seconds[i])) finished = std::min<std::uint64_t>(finished, arm.round[i]);
    }
  }
  if (finished == record.rounds) return;
  record.rounds = finished;
  record.marked.resize(finished);
  record.timed_s = 0;
  for (auto& arm : record.arms) {
    const auto kept = static_cast<std::size_t>(
        std::ranges::lower_bound(arm.round, static_cast<std::uint32_t>(finished)) - arm.round.begin());
    for (auto& values : arm.values) values.resize(kept);
    arm.seconds.resize(kept);
    arm.round.resize(kept);
    arm.position.resize(kept);
    for (const double sample_s : arm.seconds) record.timed_s += sample_s;
  }
}

}  // namespace

model::family measure_contest(const context& program, const contest& contest, harness::contestants& arms) {
  progress_line line(program.err);
  const auto watch = [&](const harness::session_progress& progress) {
    line.show(fmt::format("{} {}{} {}, {} left", bar(progress.fraction), contest.label, progress.rounds,
                          contest.counted,
                          duration_text(contest.protocol.budget_s * (1 - progress.fraction))));
    return !interrupted();
  };
  std::vector<model::better> better;
  for (const auto& metric : contest.metrics) better.push_back(metric.better);
  const double start = harness::monotonic_seconds();
  auto session =
      harness::measure(arms, contest.protocol, against_first(arms.arms()), better, watch, contest.clock);
  session.wall_s = harness::monotonic_seconds() - start;
  drop_unfinished_rounds(session);
  return family_of(session, contest.names, contest.metrics);
}

void show_and_save_run(const context& program, const model::run& run, const std::string& format,
                       const std::string& path) {
  if (!path.empty()) save_text(path, model::to_json(run));  // first, so that what is printed is never lost
  program.print(report::render(run, *report::named_format(format),
                               {.columns = program.out.columns, .color = program.out.colored}));
}

}  // namespace ridge::app
