// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include <ridge/tui/grid.hpp>

#include "view/draw_panes.hpp"
#include "view/form.hpp"
#include "view/line_editor.hpp"
#include "view/overlay.hpp"
#include "view/screen_state.hpp"

namespace ridge::tui {

// What there is to see: the screen, and what a person opened over it. Everything outlives the picture.
struct scene {
  screen_state& state;
  overlay& over;
  const form* prompts = nullptr;      // null: closed
  const std::string& form_complaint;  // why its values are refused
  const line_editor* line = nullptr;  // null: nothing is typed
  const std::string& message;
};

// A picture, and how many rows or lines a page of its body has.
struct picture_and_page {
  grid cells;
  std::size_t page_rows = 10;
};

// Draws the whole screen: tabs, title, body, the line of state and the keys.
class picture final {
 public:
  picture(const scene& shown, std::size_t columns, std::size_t rows)
      : shown_(shown), canvas_(columns, rows) {}

  // Returns the picture; the object is used up. A terminal that is too small is told so.
  [[nodiscard]] picture_and_page draw() &&;

 private:
  void draw_tabs();
  void draw_title();
  void draw_body();
  void draw_problem(const area& place, const error& why);
  void draw_state(std::size_t row);
  void draw_keys(std::size_t row);

  const scene& shown_;
  grid canvas_;
  pane_picture body_{};
};

}  // namespace ridge::tui
