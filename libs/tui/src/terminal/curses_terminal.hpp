// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/tui/grid.hpp>

#include "terminal/rescue.hpp"
#include "view/application.hpp"
#include "view/key.hpp"

namespace ridge::tui {

// The terminal behind stdin and stdout, as ncurses drives it. While it lives, the terminal shows a second
// screen; however the program ends, the first one and the terminal's modes come back.
class curses_terminal final {
 public:
  // Takes the terminal; an error says why it cannot show screens.
  [[nodiscard]] static result<std::unique_ptr<curses_terminal>> open();
  ~curses_terminal();
  curses_terminal(const curses_terminal&) = delete;
  curses_terminal& operator=(const curses_terminal&) = delete;

  // Returns its columns and rows.
  [[nodiscard]] std::pair<std::size_t, std::size_t> size() const;
  // Shows a picture: cells that have not changed are not sent again.
  void show(const grid& picture, theme colors);
  // Returns the keys that were pressed; never waits. `hung_up` becomes true when the terminal is gone.
  [[nodiscard]] std::vector<key> keys();
  // Draws everything with the next picture, also after the terminal has another size.
  void begin_anew();
  // Gives the terminal back, stops the process until it is continued, and takes the terminal again.
  void suspend();
  // Asks the terminal to put a text into the clipboard (OSC 52); many do, others ignore it.
  void copy(const std::string& text);
  [[nodiscard]] terminal_rescue& rescue() { return *rescue_; }
  // Returns whether it shows colours.
  [[nodiscard]] bool has_colors() const { return has_colors_; }

 private:
  curses_terminal() = default;
  void set_up();
  void write_cell(std::size_t column, std::size_t row, const cell& shown, theme colors);

  void* screen_ = nullptr;  // SCREEN*
  std::unique_ptr<terminal_rescue> rescue_{};
  std::unique_ptr<grid> shown_{};
  theme shown_colors_ = theme::color;
  bool utf8_ = true, has_colors_ = false;
};

}  // namespace ridge::tui
