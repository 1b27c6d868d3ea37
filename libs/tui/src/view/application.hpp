// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <ridge/tui/grid.hpp>
#include <ridge/tui/services.hpp>

#include "screens/workspace.hpp"
#include "view/form.hpp"
#include "view/key.hpp"
#include "view/line_editor.hpp"
#include "view/overlay.hpp"
#include "view/screen_state.hpp"
#include "view/visited_screens.hpp"

namespace ridge::tui {

// How looks become colours: the terminal's own colours, none but bold and reversed, or none at all.
enum class theme : std::uint8_t { color, bold, plain };

// The screens and the person in front of them, without any terminal: keys go in, pictures come out.
class application final {
 public:
  // Begins with a screen, which exists, and what it is told.
  application(services lent, const std::string& screen, settings given);

  void press(const key& pressed);
  // Does what is due by now: reads what a run wrote, makes pages anew. Returns whether the picture may
  // differ.
  bool tick();
  // Returns how long nothing is due, in milliseconds.
  [[nodiscard]] int patience_ms() const;
  // Returns the descriptor whose bytes tick() reads; -1: none.
  [[nodiscard]] int descriptor() const;

  // Draws what is seen. A terminal that is too small is told so.
  [[nodiscard]] grid picture(std::size_t columns, std::size_t rows);

  [[nodiscard]] bool over() const { return over_; }
  void end() { over_ = true; }
  [[nodiscard]] theme colors() const { return theme_; }
  void use(theme chosen) { theme_ = chosen; }
  // Returns the text that is to be copied for other programs, once; empty: none.
  [[nodiscard]] std::string take_copied();
  // Returns whether everything must be drawn anew, once: other programs wrote to the terminal.
  [[nodiscard]] bool take_redraw();

 private:
  enum class asking : std::uint8_t { nothing, filter, command, file };

  [[nodiscard]] screen_state& here() { return visited_.here(); }
  [[nodiscard]] table_state& table_here() { return here().state_of(here().pane()).table; }
  void open(const std::string& name);
  void open(const std::string& name, settings given);

  // Keys, by where they go.
  void press_line(const key& pressed);
  void press_form(const key& pressed);
  void press_overlay(const key& pressed);
  void press_screen(const key& pressed);
  void press_letter(char letter);
  bool move_by(const key& pressed);
  void enter();
  void open_run();
  void compare_marked();
  void compare_runs(const std::vector<const report::row*>& rows, const report::sheet& sheet);
  void neighbour(int step);
  void show_detail();
  void show_help();
  void ask(asking kind, std::string question, std::string text);
  void obey(const std::string& command);
  void start_run(const std::vector<std::string>& words);
  void export_as(const std::string& path);
  void link();
  void say(std::string text) { message_ = std::move(text); }
  void refuse(const error& why);
  void quit();

  workspace work_;
  visited_screens visited_{};
  theme theme_ = theme::color;
  bool over_ = false, end_asked_ = false, redraw_ = false;
  std::string message_{}, copied_{};
  std::size_t page_rows_ = 10;
  asking asking_ = asking::nothing;
  std::optional<line_editor> line_{};
  std::optional<form> form_{};
  std::string form_complaint_{};
  overlay over_screen_{};
  std::string version_{};
  std::chrono::steady_clock::time_point version_asked_{};
};

}  // namespace ridge::tui
