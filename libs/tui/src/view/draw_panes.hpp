// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <ridge/tui/grid.hpp>
#include <ridge/tui/page.hpp>

#include "view/draw_table.hpp"
#include "view/screen_state.hpp"

namespace ridge::tui {

// What stands back, and what stands out.
inline constexpr look dim_look{.tone = report::tone::dim}, strong_look{.tone = report::tone::strong};

// What part of a pane was drawn: the line of state says it, and the keys for pages go by it.
struct pane_picture {
  std::string position{};      // "row 3 of 12"; empty: everything is seen
  std::size_t page_rows = 10;  // rows or lines of a page
};

// Draws the lines of a text from `top` on, which is corrected where it points behind the end.
pane_picture draw_text(grid& canvas, const std::vector<styled_line>& lines, std::size_t& top,
                       const area& place);

// Draws a page into a part of a grid: its head, the titles of its panes, the pane that is looked at, and the
// notes that have room. A chart of the page stands below the table that is looked at, where the part is high
// enough for both.
pane_picture draw_panes(grid& canvas, screen_state& state, const page& shown, area place);

}  // namespace ridge::tui
