// SPDX-License-Identifier: Apache-2.0
#include "input/plan_power_rows.hpp"

#include <array>
#include <string_view>

#include <fmt/format.h>

#include <ridge/base/csv_reader.hpp>
#include <ridge/base/text.hpp>
#include <ridge/plan/packed_file.hpp>

#include "input/plan_points.hpp"

namespace ridge::app_plan {
namespace {

constexpr std::array<std::string_view, 3> row_columns{"memory_share", "compute_share", "watts"};

bool begins_with_columns(const csv_reader& header) {
  for (std::size_t i = 0; i < row_columns.size(); ++i) {
    if (i >= header.size() || trim(header.cell(i)) != row_columns[i]) return false;
  }
  return true;
}

// The numbers of one line; `place` is its file and line, for the error.
result<analysis::power_row> row_of(const csv_reader& cells, const std::string& place) {
  std::array<double, row_columns.size()> values{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto value = i < cells.size() ? number_of_cell(cells.cell(i)) : std::nullopt;
    if (!value)
      return error{fmt::format("{}: {}: \"{}\" is not a number", place, row_columns[i],
                               i < cells.size() ? cells.cell(i) : ""),
                   "give memory_share,compute_share,watts"};
    values[i] = *value;
  }
  return analysis::power_row{values[0], values[1], values[2],
                             cells.size() > 3 ? std::string(trim(cells.cell(3))) : ""};
}

}  // namespace

result<std::vector<analysis::power_row>> read_power_rows(const std::string& file) {
  const auto text = plan::packed_file(file);
  if (!text) return error{text.why().message, "give a CSV file of memory_share,compute_share,watts[,group]"};
  csv_reader cells(*text, csv_cells::within_a_line);
  if (!cells.next() || !begins_with_columns(cells))
    return error{fmt::format("{}: line 1 is not \"memory_share,compute_share,watts[,group]\"", file),
                 "give a CSV file with that header"};
  std::vector<analysis::power_row> all;
  while (cells.next()) {
    if (cells.size() == 1 && trim(cells.cell(0)).empty()) continue;
    const auto row = row_of(cells, fmt::format("{}: line {}", file, cells.line()));
    if (!row) return row.why();
    all.push_back(*row);
  }
  return all;
}

}  // namespace ridge::app_plan
