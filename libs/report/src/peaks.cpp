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

std::string line(const peak_row& of) {
  const auto name = display_width(of.name) < name_columns ? pad_right(of.name, name_columns) : of.name + ' ';
  return without_trailing_space(std::string(indent, ' ') + name + pad_right(of.value, value_columns) +
                                pad_left(of.of_issue, share_columns) + pad_left(of.of_spec, share_columns) +
                                pad_left(of.clock, clock_columns) + pad_left(of.power, power_columns)) +
         '\n';
}

std::string note(std::string_view text, const options& in, tone as) {
  if (text.empty()) return "";
  const std::string pad(note_indent, ' ');
  const auto words = wrap(text, in.columns > note_indent ? in.columns - note_indent : 1);
  std::string all;
  for (const auto part : split(words, '\n')) all += pad + paint(part, as, in.color) + '\n';
  return all;
}

std::string series_of(const model::ceiling& row, const options& in) {
  std::string all;
  for (const auto& point : row.series)
    all += fmt::format("{}{} {}", all.empty() ? "" : " · ", point.at, format_quantity(point.value, row.unit));
  return note(all, in, tone::dim);
}

std::string row_text(const model::ceiling& row, const peak_options& with) {
  const peak_row words(row);
  auto text = line(words) + note(words.how, with.in, tone::dim) + note(words.low, with.in, tone::doubtful);
  return with.series ? text + series_of(row, with.in) : text;
}

}  // namespace

std::string peak_header(const options& in) {
  const auto heads = std::string(indent, ' ') + pad_right("row", name_columns) +
                     pad_right("value [95 %]", value_columns) + pad_left("issue", share_columns) +
                     pad_left("spec", share_columns) + pad_left("clock", clock_columns) +
                     pad_left("power", power_columns);
  return paint(heads, tone::dim, in.color) + '\n';
}

std::string peak_group(const model::probed& subject, std::span<const model::ceiling> rows,
                       const peak_options& with) {
  auto text = wrap(subject.title + ": " + subject.means, with.in.columns) + '\n';
  text = paint(text.substr(0, subject.title.size()), tone::strong, with.in.color) +
         text.substr(subject.title.size());
  for (const auto& row : rows) text += row_text(row, with);
  return text + note(subject.skipped.empty() ? "" : "skipped: " + subject.skipped, with.in, tone::doubtful);
}

std::string peak_table(const model::peak_report& of, const peak_options& with) {
  auto text = peak_header(with.in);
  for (std::size_t i = 0; i < of.probes.size(); ++i) text += peak_group(of.probes[i], rows_of(of, i), with);
  return text + '\n' + peak_summary(of, with.in);
}

}  // namespace ridge::report
