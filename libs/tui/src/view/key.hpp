// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace ridge::tui {

enum class key_code : std::uint8_t {
  character,  // `text` holds it, one character in UTF-8
  paste,      // `text` holds what was pasted
  enter,
  escape,
  tab,
  back_tab,
  up,
  down,
  left,
  right,
  page_up,
  page_down,
  home,
  end,
  backspace,
  redraw,  // Ctrl-L
};

// One key that was pressed, or a text that was pasted.
struct key {
  key_code code = key_code::character;
  std::string text{};
  [[nodiscard]] bool is(char letter) const {
    return code == key_code::character && text.size() == 1 && text.front() == letter;
  }
};

}  // namespace ridge::tui
