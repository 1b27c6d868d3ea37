// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <ridge/tui/grid.hpp>

#include "screens/screen.hpp"
#include "view/draw_table.hpp"
#include "view/key.hpp"
#include "view/line_editor.hpp"

namespace ridge::tui {

// The prompts of a screen: one line per parameter, with its value and what it means.
class form final {
 public:
  enum class state { open, accepted, given_up };

  form(const screen& which, settings given) : which_(&which), given_(std::move(given)) {}

  // Takes a key: up and down choose a parameter, Enter types its value, space goes through choices and flags,
  // x clears it, a accepts the form, Escape gives up.
  state press(const key& pressed);
  // Draws the form; `complaint` says why the values are refused.
  void draw(grid& canvas, const area& place, const std::string& complaint) const;

  [[nodiscard]] const settings& given() const { return given_; }
  // Returns the line that is being typed; null while none is.
  [[nodiscard]] const line_editor* editor() const { return editor_ ? &*editor_ : nullptr; }

 private:
  void type(const key& pressed);
  void next_choice();
  [[nodiscard]] std::string shown_value(std::size_t index) const;
  [[nodiscard]] std::size_t count() const { return which_->parameters.size(); }

  const screen* which_;
  settings given_;
  std::size_t selected_ = 0;
  std::optional<line_editor> editor_{};
};

}  // namespace ridge::tui
