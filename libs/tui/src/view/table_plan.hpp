// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <ridge/report/document.hpp>

#include "view/table_state.hpp"

namespace ridge::tui {

// How a table is laid out in the columns that there are.
struct table_plan {
  static constexpr std::size_t gap = 2, sign_columns = 3;  // between fields; before the first one

  std::vector<std::size_t> fields{};   // shown ones, the first one first
  std::vector<std::size_t> widths{};   // by field
  std::string shared{};                // "machine a · backend cpu"
  std::optional<std::size_t> group{};  // the field whose values head groups of rows instead of a column
  std::vector<std::size_t> heading{};  // that field, and others that are the same within each group

  // Returns the columns that all shown fields take.
  [[nodiscard]] std::size_t columns() const;
  // Returns whether a group ends between two rows of a plan with groups: what heads it, the machine or the
  // backend changes.
  [[nodiscard]] bool begins_group(const report::sheet& sheet, const report::row& above,
                                  const report::row& row) const;
};

// Lays out the rows that are shown. Where all fields have no room, what all rows share moves out of the
// columns, then what rows share with those beside them heads them, then texts are cut.
[[nodiscard]] table_plan table_plan_of(const report::sheet& sheet, const std::vector<std::size_t>& rows,
                                       const table_state& state, std::size_t columns);

// Returns what a cell shows, as one line that moves no cursor.
[[nodiscard]] std::string harmless_cell(const report::sheet& sheet, const report::row& row,
                                        std::size_t field);

}  // namespace ridge::tui
