// SPDX-License-Identifier: Apache-2.0
#include "view/line_editor.hpp"

namespace ridge::tui {
namespace {

constexpr std::size_t most_bytes = 1000;

bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xc0U) == 0x80U; }

}  // namespace

line_editor::state line_editor::press(const key& pressed) {
  switch (pressed.code) {
    case key_code::enter:
      return state::accepted;
    case key_code::escape:
      return state::given_up;
    case key_code::backspace:
      if (text_.empty()) return state::given_up;
      while (text_.size() > 1 && is_continuation(text_.back())) text_.pop_back();
      text_.pop_back();
      break;
    case key_code::character:
    case key_code::paste:
      for (const char c : pressed.text) {
        if (text_.size() < most_bytes && static_cast<unsigned char>(c) >= ' ') text_ += c;
      }
      break;
    default:
      break;
  }
  return state::typing;
}

}  // namespace ridge::tui
