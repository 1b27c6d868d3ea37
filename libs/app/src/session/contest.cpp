// SPDX-License-Identifier: Apache-2.0
#include "session/contest.hpp"

#include <fmt/format.h>

#include <ridge/app/amounts.hpp>
#include <ridge/app/interrupt.hpp>
#include <ridge/app/progress_line.hpp>
#include <ridge/model/json.hpp>
#include <ridge/report/render.hpp>

namespace ridge::app {

model::family measure_contest(const context& program, const contest& contest, harness::contestants& arms) {
  progress_line line(program.err);
  const auto watch = [&](const harness::session_progress& progress) {
    line.show(fmt::format("{} {} {}, {} left", bar(progress.fraction), progress.rounds, contest.counted,
                          duration_text(contest.protocol.budget_s * (1 - progress.fraction))));
    return !interrupted();
  };
  std::vector<model::better> better;
  for (const auto& metric : contest.metrics) better.push_back(metric.better);
  const auto session = harness::measure(arms, contest.protocol, against_first(arms.arms()), better, watch);
  return family_of(session, contest.names, contest.metrics);
}

void show_and_save_run(const context& program, const model::run& run, const std::string& format,
                       const std::string& path) {
  program.print(report::render(run, *report::named_format(format),
                               {.columns = program.out.columns, .color = program.out.colored}));
  if (!path.empty()) save_text(path, model::to_json(run));
}

}  // namespace ridge::app
