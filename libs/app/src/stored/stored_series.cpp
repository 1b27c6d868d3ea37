// SPDX-License-Identifier: Apache-2.0
#include "stored/stored_series.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <ridge/base/escape.hpp>
#include <ridge/base/units.hpp>
#include <ridge/report/table.hpp>
#include <ridge/report/words.hpp>

namespace ridge::app {
namespace {

constexpr std::size_t short_id = 6;  // length of the end of an id; its beginning is the time

std::string heading(const model::stored_comparison& comparison, const terminal& screen) {
  const auto when = comparison.started.substr(0, 10) + ' ' +
                    comparison.started.substr(std::min<std::size_t>(11, comparison.started.size()), 5);
  return fmt::format(
      "{} {}  {}  {}\n", paint(screen, report::tone::strong, terminal_escaped(comparison.row.experiment)),
      terminal_escaped(comparison.row.problem), terminal_escaped(when),
      comparison.run.substr(comparison.run.size() - std::min(short_id, comparison.run.size())));
}

bool same_family(const model::stored_comparison& a, const model::stored_comparison& b) {
  return a.run == b.run && a.row.experiment == b.row.experiment && a.row.problem == b.row.problem;
}

// Returns the medians of the candidate and of the reference, in the order in which the pair is named.
std::string medians_of(const model::comparison_row& row) {
  const auto& [reference, candidate] = row.arms;
  return fmt::format("{} vs {}", format_quantity(candidate.median, candidate.unit),
                     format_quantity(reference.median, reference.unit));
}

void add(report::table& table, const model::comparison_row& row) {
  const auto& c = row.comparison;
  const auto verdict = c.judged ? std::string(model::name(c.verdict)) : "not judged";
  table.row({{fmt::format("{} vs {}", c.candidate, c.reference)},
             {report::metric_title(c.metric)},
             {medians_of(row)},
             {report::ratio_with_interval(c.ratio, c.ci)},
             {verdict, c.judged ? report::tone_of(c.verdict) : report::tone::dim}});
}

}  // namespace

std::string stored_text(std::span<const model::stored_comparison> rows, const terminal& screen,
                        std::size_t indent) {
  std::string text;
  for (std::size_t i = 0; i < rows.size();) {
    report::table table({{""}, {""}, {"", report::align::right}, {"", report::align::right}, {""}});
    const auto& first = rows[i];
    for (; i < rows.size() && same_family(rows[i], first); ++i) add(table, rows[i].row);
    text += std::string(indent, ' ') + heading(first, screen) + table.text(layout_on(screen, indent + 2));
  }
  return text;
}

}  // namespace ridge::app
