// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "view/key.hpp"

namespace ridge::tui {

// One line that is being typed, at the bottom of the screen.
class line_editor final {
 public:
  enum class state { typing, accepted, given_up };

  // Begins with a question and a text that can be changed.
  line_editor(std::string question, std::string text)
      : question_(std::move(question)), text_(std::move(text)) {}

  // Takes a key: characters are added, Backspace removes one, Enter accepts, Escape gives up.
  state press(const key& pressed);

  [[nodiscard]] const std::string& question() const { return question_; }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string question_, text_;
};

}  // namespace ridge::tui
