// SPDX-License-Identifier: Apache-2.0
#include <ridge/report/peaks.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/base/units.hpp>
#include <ridge/report/tone.hpp>

#include "peak_row.hpp"

namespace ridge::report {
namespace {

constexpr std::size_t name_columns = 34, value_columns = 23, share_columns = 7, clock_columns = 10,
                      power_columns = 7, indent = 2, note_indent = 4;

std::string without_trailing_space(std::string text) {
  while (text.ends_with(' ')) text.pop_back();
  return text;
}

std::string line(const peak_row& row) {
  const auto name =
      display_width(row.name) < name_columns ? pad_right(row.name, name_columns) : row.name + ' ';
  return without_trailing_space(std::string(indent, ' ') + name + pad_right(row.value, value_columns) +
                                pad_left(row.of_issue, share_columns) + pad_left(row.of_spec, share_columns) +
                                pad_left(row.clock, clock_columns) + pad_left(row.power, power_columns)) +
         '\n';
}

std::string note(std::string_view text, const options& options, tone colour) {
  if (text.empty()) return "";
  const std::string pad(note_indent, ' ');
  const auto words = wrap(text, options.columns > note_indent ? options.columns - note_indent : 1);
  std::string all;
  for (const auto part : split(words, '\n')) all += pad + paint(part, colour, options.color) + '\n';
  return all;
}

std::string series_of(const model::ceiling& row, const options& options) {
  std::string all;
  for (const auto& point : row.series)
    all +=
        fmt::format("{}{} {}", all.empty() ? "" : " · ", point.place, format_quantity(point.value, row.unit));
  return note(all, options, tone::dim);
}

std::string row_text(const model::ceiling& row, const peak_options& options) {
  const peak_row words(row);
  auto text = line(words) + note(words.method, options.options, tone::dim) +
              note(words.low, options.options, tone::doubtful);
  return options.series ? text + series_of(row, options.options) : text;
}

}  // namespace

std::string peak_header(const options& options) {
  const auto heads = std::string(indent, ' ') + pad_right("row", name_columns) +
                     pad_right("value [95 %]", value_columns) + pad_left("issue", share_columns) +
                     pad_left("spec", share_columns) + pad_left("clock", clock_columns) +
                     pad_left("power", power_columns);
  return paint(heads, tone::dim, options.color) + '\n';
}

std::string peak_group(const model::probed& subject, std::span<const model::ceiling> rows,
                       const peak_options& options) {
  auto text = wrap(subject.title + ": " + subject.means, options.options.columns) + '\n';
  text = paint(text.substr(0, subject.title.size()), tone::strong, options.options.color) +
         text.substr(subject.title.size());
  for (const auto& row : rows) text += row_text(row, options);
  return text +
         note(subject.skipped.empty() ? "" : "skipped: " + subject.skipped, options.options, tone::doubtful);
}

std::string peak_table(const model::peak_report& report, const peak_options& options) {
  auto text = peak_header(options.options);
  for (std::size_t i = 0; i < report.probes.size(); ++i)
    text += peak_group(report.probes[i], rows_of(report, i), options);
  return text + '\n' + peak_summary(report, options.options);
}

}  // namespace ridge::report
