// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include <ridge/app/terminal.hpp>

namespace ridge::app {

// One line on stderr that is overwritten at most ten times per second; it stays silent where stderr is not a
// terminal. Use it only between timed blocks.
class progress_line final {
 public:
  // Writes to the terminal behind stderr; nothing is shown yet.
  explicit progress_line(const terminal& screen) : screen_(screen) {}
  ~progress_line() { clear(); }
  progress_line(const progress_line&) = delete;
  progress_line& operator=(const progress_line&) = delete;
  // Replaces the line, cut to the width of the terminal.
  void show(std::string_view text);
  // Removes the line; call it before anything else is printed.
  void clear();

 private:
  terminal screen_;
  std::chrono::steady_clock::time_point last_{};
  bool shown_ = false;
};

// Returns a time, rounded up to whole seconds: "12 s", "3 min 05 s".
[[nodiscard]] std::string duration_text(double seconds);

// Returns a bar of ten columns for a share from 0 to 1: "▕███████   ▏".
[[nodiscard]] std::string bar(double fraction);

}  // namespace ridge::app
