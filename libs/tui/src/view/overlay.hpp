// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <ridge/report/document.hpp>
#include <ridge/tui/grid.hpp>

#include "view/key.hpp"

namespace ridge::tui {

// A text in the place of the panes, until it is closed.
struct overlay {
  std::string title{};
  std::vector<styled_line> lines{};  // empty: there is none
  std::size_t top = 0;               // the first line that is seen
  bool is_row = false;               // a row in full, whose run can be opened

  [[nodiscard]] bool shown() const { return !lines.empty(); }
  void close() { lines.clear(); }
  // Scrolls by a key, a page being `page_rows` lines. Returns whether it was a key for that.
  bool scroll(const key& pressed, std::size_t page_rows);
};

// Returns all fields of a row, shown and hidden, a line or more each.
[[nodiscard]] overlay row_in_full(const report::sheet& sheet, const report::row& row);

}  // namespace ridge::tui
