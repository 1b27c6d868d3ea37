// SPDX-License-Identifier: Apache-2.0
#include "stored_series.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <ridge/report/table.hpp>
#include <ridge/report/words.hpp>

namespace ridge::app {

std::string stored_table(std::span<const model::stored_comparison> rows, const terminal& on,
                         std::size_t indent) {
  report::table table(
      {{"WHEN (UTC)"}, {"RUN"}, {"PROBLEM"}, {"COMPARISON"}, {"RATIO", report::align::right}, {"VERDICT"}});
  for (const auto& one : rows) {
    const auto& c = one.row.comparison;
    const auto when = one.started.substr(0, 10) + ' ' + one.started.substr(11, 5);
    const auto verdict = c.judged ? std::string(model::name(c.verdict)) : "-";
    table.row({{when},
               {one.run.substr(one.run.size() - std::min<std::size_t>(6, one.run.size()))},
               {one.row.problem},
               {fmt::format("{} vs {}{}", c.candidate, c.reference,
                            c.metric.name == "time" ? "" : ", " + c.metric.name)},
               {report::ratio_with_interval(c.ratio, c.ci)},
               {verdict, c.judged ? report::tone_of(c.verdict) : report::tone::dim}});
  }
  return table.text(layout_on(on, indent));
}

}  // namespace ridge::app
