// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <set>
#include <string>

#include <ridge/report/document.hpp>
#include <ridge/tui/grid.hpp>

#include "view/table_state.hpp"

namespace ridge::tui {

// A part of a grid.
struct area {
  std::size_t column = 0, row = 0, columns = 0, rows = 0;
};

// What a table was drawn with, for the line of state.
struct table_picture {
  std::size_t shown_rows = 0;    // that pass the filter
  std::size_t hidden_left = 0;   // fields scrolled away
  std::size_t hidden_right = 0;  // fields for which there was no room
  std::size_t page_rows = 1;     // rows on the screen
};

// Draws a table into a part of a grid: its header, then rows around the selected one; the first field stays
// where it is when others are scrolled. Fields whose value is the same in all rows stand in one line above,
// where the others would not fit. Corrects the state where it points outside of the table. `marked` holds
// identities of rows.
table_picture draw_table(grid& canvas, const area& room, const report::sheet& sheet, table_state& state,
                         const std::set<std::string>& marked);

}  // namespace ridge::tui
