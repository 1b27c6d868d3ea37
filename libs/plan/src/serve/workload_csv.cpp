// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include <ridge/base/csv_reader.hpp>
#include <ridge/base/text.hpp>

#include "workload_rows.hpp"

namespace ridge::plan::serve {
namespace {

struct csv_column {
  std::string name{};
  known_field field{};
};

std::vector<csv_column> columns_of(const csv_reader& header, const workload_columns& given) {
  std::vector<csv_column> columns;
  for (std::size_t i = 0; i < header.size(); ++i) {
    const auto name = trim(header.cell(i));
    columns.push_back({std::string(name), field_named(name, given, false)});
  }
  return columns;
}

bool has(const std::vector<csv_column>& columns, row_field f) {
  return std::ranges::any_of(columns, [&](const csv_column& c) { return c.field.field == f; });
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

void take_row(const csv_reader& row, const std::vector<csv_column>& columns, workload_rows& rows) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (i == row.size())
      return rows.refuse(fmt::format("{} of {} columns", i, columns.size()), row.end_column());
    if (columns[i].field.field != row_field::unknown)
      rows.take(columns[i].field, columns[i].name, trim(row.cell(i)), row.column(i));
  }
}

}  // namespace

result<void> read_csv_rows(std::string_view text, const workload_file_options& options, workload_rows& rows) {
  csv_reader reader(text, csv_cells::within_a_line);
  if (!reader.next()) return {};
  const auto columns = columns_of(reader, options.columns);
  const auto header = text.substr(reader.offset(), text.find('\n', reader.offset()) - reader.offset());
  if (const auto good = check_columns(columns, trim(header)); !good) return good.why();
  while (reader.next()) {
    rows.begin(reader.line());
    take_row(reader, columns, rows);
    if (!rows.end()) return rows.why();
  }
  return {};
}

}  // namespace ridge::plan::serve
