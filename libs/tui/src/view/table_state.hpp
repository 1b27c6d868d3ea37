// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/report/document.hpp>

#include "view/key.hpp"

namespace ridge::tui {

// Which rows of a table are shown in which order, and which one is selected.
struct table_state {
  std::string filter{};               // only rows with a cell that contains it, whatever the case
  std::optional<std::size_t> sort{};  // the field to sort by; empty: as they came
  bool descending = false;
  std::size_t selected = 0;  // among the rows that are shown
  std::size_t top = 0;       // the first row on the screen
  std::size_t left = 0;      // how many shown fields behind the first one are scrolled away
};

// What a key did to a table: whether it was one for tables, and what to say of it.
struct table_key {
  bool taken = false;
  std::string message{};
};
// Takes the keys that scroll fields and sort rows.
table_key press_table(const key& pressed, const report::sheet& sheet, table_state& state);

// Returns what a cell shows: unknown values are "-".
[[nodiscard]] std::string cell_text(const report::sheet& sheet, const report::row& row, std::size_t field);

// Returns the indices of the rows that pass the filter, in the order asked for. Numbers and quantities
// ("412 µs" before "1.2 ms") sort by their size, unknown values last.
[[nodiscard]] std::vector<std::size_t> shown_rows(const report::sheet& sheet, const table_state& state);

// Returns the value of a hidden or shown field by its key; empty where there is none.
[[nodiscard]] std::string value_of(const report::sheet& sheet, const report::row& row, std::string_view key);

// Returns what tells a row from the others of its sheet, to find it again when the sheet was made anew.
[[nodiscard]] std::string identity_of(const report::sheet& sheet, const report::row& row);

// Returns the size that a text with a quantity begins with: "1.2 ms ±3 %" -> 0.0012; nothing for other texts.
[[nodiscard]] std::optional<double> leading_quantity(std::string_view text);

}  // namespace ridge::tui
