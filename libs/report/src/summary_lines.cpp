// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/report/summary.hpp>
#include <ridge/report/words.hpp>

#include "cut_text.hpp"
#include "harmless.hpp"

namespace ridge::report {
namespace {

constexpr std::size_t between = 2, ratio_columns = 21, verdict_columns = 12, ceiling_columns = 13;
constexpr std::size_t least_best = 12;
constexpr std::size_t title_of_problem = 8,
                      least_problem = 11;  // "problem", and "12 problems" where it is cut

std::string chapter_of(const std::string& id) { return id.substr(0, id.find('.') + 1); }

// Returns the chapter that all experiments are of: "ch01."; empty where they are of several.
std::string common_chapter(std::span<const summary_row> rows) {
  if (rows.empty()) return "";
  const auto first = chapter_of(rows.front().experiment);
  const bool one =
      std::ranges::all_of(rows, [&](const auto& r) { return chapter_of(r.experiment) == first; });
  return one ? first : "";
}

// Returns a text that came from elsewhere as one line without control characters.
std::string one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return harmless(std::move(text));
}

std::size_t widest(std::span<const summary_row> rows, std::string summary_row::*text, std::size_t least) {
  for (const auto& r : rows) least = std::max(least, display_width(r.*text));
  return least;
}

}  // namespace

summary_lines::summary_lines(std::span<const summary_row> expected, const options& options)
    : options_(options), chapter_(common_chapter(expected)) {
  experiment_ = std::max<std::size_t>(10, widest(expected, &summary_row::experiment, 0) - chapter_.size());
  best_ = widest(expected, &summary_row::best, least_best);
  problem_ = widest(expected, &summary_row::problem, title_of_problem);
  ceiling_ = ceiling_columns;
  // Where the line is too long the share of the ceiling goes first, then the problem; names are cut last.
  const auto taken = [&] {
    const auto optional = (ceiling_ ? ceiling_ + between : 0) + (problem_ ? problem_ + between : 0);
    return experiment_ + between + best_ + between + ratio_columns + between + verdict_columns + optional;
  };
  const auto cut_to_fit = [&](std::size_t& width, std::size_t least) {
    while (width > least && taken() > options_.columns) --width;
  };
  if (options_.columns < 100 && taken() > options_.columns) ceiling_ = 0;
  cut_to_fit(problem_, least_problem);
  cut_to_fit(best_, least_best);
  if (taken() > options_.columns) problem_ = 0;
  values_alone_ = widest(expected, &summary_row::problem, 0) > problem_;
  cut_to_fit(experiment_, 10);
}

std::string summary_lines::joined(const summary_row& row, bool is_header) const {
  const auto column = [](const std::string& text, std::size_t width) {
    return width == 0 ? "" : pad_right(cut_text(one_line(text), width), width + between);
  };
  auto name = row.experiment;
  if (!is_header && name.starts_with(chapter_)) name = name.substr(chapter_.size());
  const auto shown_name = pad_right(cut_text(one_line(name), experiment_), experiment_ + between);
  const bool shortened = values_alone_ && !row.values.empty();
  auto line = column(shortened ? row.values : row.problem, problem_) + column(row.best, best_) +
              column(row.of_ceiling, ceiling_) +
              pad_right(row.ratio, std::max(ratio_columns, display_width(row.ratio)) + between);
  const auto start = display_width(shown_name) + display_width(line);
  const auto room = std::max(verdict_columns, options_.columns - std::min(options_.columns, start));
  const auto verdict = wrap(row.verdict, room);
  std::string verdicts;
  for (const auto part : split(verdict, '\n')) {
    if (!verdicts.empty()) verdicts += '\n' + std::string(start, ' ');
    verdicts += paint(part, row.look, options_.color);
  }
  if (row.verdict.empty()) line.resize(line.find_last_not_of(' ') + 1);
  return paint(shown_name, is_header ? tone::plain : tone::strong, options_.color) + line + verdicts + '\n';
}

std::string summary_lines::header(const model::run& run) const {
  const auto chapter = chapter_.substr(0, chapter_.empty() ? 0 : chapter_.size() - 1);
  const summary_row titles{.experiment = chapter.empty() ? "experiment" : chapter,
                           .problem = "problem",
                           .best = "best variant",
                           .ratio = interval_title(run),
                           .verdict = "verdict",
                           .of_ceiling = "of ceiling"};
  return joined(titles, true);
}

std::string summary_lines::line(const summary_row& row) const { return joined(row, false); }

std::string console_lines(const model::run& run, const options& options) {
  std::vector<summary_row> rows;
  for (const auto& group : summary_groups(run)) rows.push_back(summarized(group));
  if (rows.empty()) return "";
  const summary_lines lines(rows, options);
  auto text = lines.header(run);
  for (const auto& row : rows) text += lines.line(row);
  return text;
}

}  // namespace ridge::report
