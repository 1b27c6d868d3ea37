// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include <ridge/app/terminal.hpp>

namespace ridge::app {

// One line on stderr that is written over, at most ten times a second; silent where nobody looks. Shown
// between timed blocks only.
class progress_line final {
 public:
  explicit progress_line(const terminal& screen) : screen_(screen) {}
  ~progress_line() { clear(); }
  progress_line(const progress_line&) = delete;
  progress_line& operator=(const progress_line&) = delete;
  void show(std::string_view text);
  void clear();  // before anything else is printed

 private:
  terminal screen_;
  std::chrono::steady_clock::time_point last_{};
  bool shown_ = false;
};

// "12 s", "3 min 05 s"
[[nodiscard]] std::string duration_text(double seconds);

// "▕███████     ▏" of ten columns
[[nodiscard]] std::string bar(double fraction);

}  // namespace ridge::app
