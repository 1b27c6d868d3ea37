// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <utility>

#include <fmt/format.h>

#include <ridge/base/escape.hpp>
#include <ridge/base/expects.hpp>
#include <ridge/report/render.hpp>
#include <ridge/report/words.hpp>

#include "best_comparison.hpp"
#include "markdown_text.hpp"
#include "provenance.hpp"

namespace ridge::report {
namespace {

std::vector<std::string> summary_cells(const model::run& run, const model::family& family) {
  std::vector<std::string> cells{markdown_code_cell(family.experiment), markdown_escaped(family.question),
                                 markdown_code_cell(model::text(family.problem))};
  const auto* gain = best_of(family);
  const auto* best = gain ? model::find(family, gain->candidate) : nullptr;
  cells.push_back(best ? markdown_code_cell(best->variant) : "");
  cells.push_back(
      gain ? fmt::format("{}, {}", ratio_with_interval(gain->ratio, gain->ci), metric_title(gain->metric))
      : family.skipped.empty() ? "nothing to judge"
                               : "skipped");
  cells.push_back(gain && gain->judged ? markdown_escaped(verdict_in_words(*gain, run.min_effect)) : "");
  cells.push_back(best ? ceiling_in_words(*best) : "");
  return cells;
}

}  // namespace

std::string readme_summary(std::span<const model::run> runs) {
  expects(!runs.empty(), "readme_summary: no run");
  const std::vector<std::string> header{
      "experiment", "question",  "problem", "best variant", "against the baseline [95 %]",
      "verdict",    "of ceiling"};
  std::map<std::pair<std::string, model::backend>, std::string> rows;  // by experiment
  for (const auto& run : runs) {
    for (const auto& f : run.families) {
      const std::pair key{f.experiment, f.backend};
      if (!rows.contains(key)) rows.emplace(key, markdown_row(summary_cells(run, f)));
    }
  }
  auto out = provenance(runs) + "\n" + markdown_row(header) + markdown_rule(header.size(), 4);
  for (const auto& [key, row] : rows) out += row;
  return out;
}

}  // namespace ridge::report
