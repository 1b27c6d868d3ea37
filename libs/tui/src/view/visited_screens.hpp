// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "view/screen_state.hpp"

namespace ridge::tui {

// The screens that were opened, each as it was left, and the way back.
class visited_screens final {
 public:
  // Opens a screen, which exists. Returns whether it was opened for the first time.
  bool open(const screen& which);
  // Goes back to the screen before; returns whether there was one.
  bool back();

  // Return the screen that is looked at; there is one once a screen was opened.
  [[nodiscard]] screen_state& here() { return states_.at(current_); }
  [[nodiscard]] const screen_state& here() const { return states_.at(current_); }

 private:
  std::map<std::string, screen_state> states_{};
  std::string current_{};
  std::vector<std::string> before_{};
};

}  // namespace ridge::tui
