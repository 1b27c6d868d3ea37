// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include <ridge/base/text.hpp>

#include "text_lines.hpp"
#include "workload_rows.hpp"

namespace ridge::plan::serve {
namespace {

// The next value of a line from `position` on, without surrounding quotes; moves `position` past the comma.
std::string_view next_value(std::string_view line, std::size_t& position) {
  if (position < line.size() && line[position] == '"') {
    const auto close = std::min(line.find('"', position + 1), line.size());
    const auto value = line.substr(position + 1, close - position - 1);
    const auto comma = line.find(',', close);
    position = comma == std::string_view::npos ? line.size() + 1 : comma + 1;
    return value;
  }
  const auto comma = line.find(',', position);
  const auto value = line.substr(position, comma == std::string_view::npos ? comma : comma - position);
  position = comma == std::string_view::npos ? line.size() + 1 : comma + 1;
  return trim(value);
}

struct csv_column {
  std::string name{};
  known_field field{};
};

std::vector<csv_column> columns_of(std::string_view header, const workload_columns& given) {
  std::vector<csv_column> columns;
  for (std::size_t at = 0; at <= header.size();) {
    const auto name = next_value(header, at);
    columns.push_back({std::string(name), field_named(name, given, false)});
  }
  return columns;
}

bool has(const std::vector<csv_column>& columns, row_field f) {
  return std::ranges::any_of(columns, [&](const csv_column& c) { return c.field.what == f; });
}

result<void> check_columns(const std::vector<csv_column>& columns, std::string_view header) {
  for (const auto& [field, what, option] :
       {std::tuple(row_field::arrival, "time of arrival", "arrival"),
        std::tuple(row_field::prompt, "number of prompt tokens", "prompt"),
        std::tuple(row_field::output, "number of answer tokens", "output")}) {
    if (has(columns, field)) continue;
    return error{fmt::format("line 1 names no column for the {}: \"{}\"", what, header.substr(0, 120)),
                 fmt::format("name it: --columns {}=NAME", option)};
  }
  return {};
}

void take_line(std::string_view line, const std::vector<csv_column>& columns, workload_rows& rows) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (at > line.size()) return rows.refuse(fmt::format("{} of {} columns", i, columns.size()), at);
    const auto begin = at;
    const auto value = next_value(line, at);
    if (columns[i].field.what != row_field::unknown)
      rows.take(columns[i].field, columns[i].name, value, begin + 1);
  }
}

}  // namespace

result<void> read_csv_rows(std::string_view text, const workload_file_options& options, workload_rows& rows) {
  text_lines lines(text);
  if (!lines.next()) return {};
  const auto columns = columns_of(lines.line(), options.columns);
  if (const auto good = check_columns(columns, lines.line()); !good) return good.why();
  while (lines.next()) {
    if (lines.line().empty()) continue;
    rows.begin(lines.number());
    take_line(lines.line(), columns, rows);
    if (!rows.end()) return rows.why();
  }
  return {};
}

}  // namespace ridge::plan::serve
