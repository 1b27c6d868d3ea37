// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include <ridge/base/units.hpp>
#include <ridge/plan_report/parallelism_page.hpp>

namespace ridge::plan_report {

using namespace plan::train;

report::chart parallelism_chart(const parallelism_question& q, const parallelism_answer& a) {
  report::chart c{.title = fmt::format("{} on {}", q.model.name, q.gpu.name),
                  .subtitle = fmt::format("Pareto front of {} plans that fit, of {} evaluated",
                                          format_grouped(a.search.timed), format_grouped(a.search.evaluated)),
                  .x = {.label = "memory per GPU", .unit = "B"},
                  .y = {.label = "step", .unit = "s", .scale = report::chart_scale::logarithmic}};
  for (const auto gpus : q.gpus) {
    report::chart_series s{.name = fmt::format("{} GPUs", gpus), .mark = report::chart_mark::line};
    for (const auto& p : a.front) {
      if (p.scored.gpus == gpus)
        s.points.push_back({p.scored.memory_bytes, p.scored.step_s, p.scored.plan.text()});
    }
    std::ranges::sort(s.points, {}, &report::chart_point::x);
    if (!s.points.empty()) c.series.push_back(std::move(s));
  }
  return c;
}

}  // namespace ridge::plan_report
