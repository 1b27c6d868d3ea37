// SPDX-License-Identifier: Apache-2.0
#include "session/planned_run.hpp"

#include <cstddef>
#include <vector>

#include <fmt/format.h>

#include <ridge/app/progress_line.hpp>
#include <ridge/base/expects.hpp>
#include <ridge/report/table.hpp>

namespace ridge::app {
namespace {

// The families of one experiment on one backend.
struct planned_row {
  std::string experiment{};
  model::backend backend{};
  std::size_t problems = 0;
  double seconds = 0;
};

std::vector<planned_row> rows_of(std::span<const harness::planned_family> families,
                                 std::span<const planned_time> times) {
  std::vector<planned_row> rows;
  for (std::size_t i = 0; i < families.size(); ++i) {
    const auto& f = families[i];
    const bool another =
        rows.empty() || rows.back().experiment != f.experiment->id || rows.back().backend != f.backend;
    if (another) rows.push_back({.experiment = f.experiment->id, .backend = f.backend});
    ++rows.back().problems;
    rows.back().seconds += times[i].fixed_s + times[i].data_s;
  }
  return rows;
}

}  // namespace

std::string planned_run_text(std::span<const harness::planned_family> families,
                             std::span<const planned_time> times, double budget_s, const terminal& screen) {
  expects(families.size() == times.size(), "planned_run_text: one time for each family");
  report::table table(
      {{"EXPERIMENT"}, {"BACKEND"}, {"PROBLEMS", report::align::right}, {"PLANNED", report::align::right}});
  double seconds = 0;
  for (const auto& row : rows_of(families, times)) {
    seconds += row.seconds;
    table.row({row.experiment, std::string(model::name(row.backend)), std::to_string(row.problems),
               duration_text(row.seconds)});
  }
  auto text = table.text(layout_on(screen));
  text += fmt::format("{} problems, {} planned", families.size(), duration_text(seconds));
  if (budget_s > 0 && seconds > budget_s)
    text += fmt::format("; the budget is {}, and what it leaves no time for is left out",
                        duration_text(budget_s));
  return text + "\nNothing was measured.\n";
}

}  // namespace ridge::app
