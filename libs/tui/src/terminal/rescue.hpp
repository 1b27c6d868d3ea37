// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csignal>
#include <string>

namespace ridge::tui {

// What signals asked for since the last look.
struct signals_seen {
  bool end = false;        // SIGINT, SIGTERM, SIGHUP, SIGQUIT
  bool suspend = false;    // SIGTSTP
  bool continued = false;  // SIGCONT
  bool resized = false;    // SIGWINCH
};

// While it lives, signals that end the program are remembered instead, and those of a crash first write
// `farewell`, which makes the terminal usable, put the terminal's modes back, and then do what they always
// do. Only one may live at a time.
class terminal_rescue final {
 public:
  // `terminal` is the descriptor of the terminal; its modes now are those to go back to.
  terminal_rescue(int terminal, const std::string& farewell);
  ~terminal_rescue();
  terminal_rescue(const terminal_rescue&) = delete;
  terminal_rescue& operator=(const terminal_rescue&) = delete;

  // Returns what was asked for since the last call.
  [[nodiscard]] static signals_seen take();
  // Returns the descriptor that is readable when a signal came.
  [[nodiscard]] int descriptor() const { return reading_; }
  // Stops this process as Ctrl-Z does elsewhere; returns when it is continued.
  void stop_here();

 private:
  int reading_ = -1;
};

}  // namespace ridge::tui
