// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <ridge/report/table.hpp>

namespace ridge::app {

enum class color_choice : std::uint8_t { automatic, always, never };

// What one of the program's output streams is.
struct terminal {
  bool interactive = false;
  bool colored = false;
  std::size_t columns = 100;  // of lines; 100 where nobody looks
};

// Asks the descriptor; NO_COLOR and TERM=dumb count when the choice is automatic.
[[nodiscard]] terminal terminal_of(int descriptor, color_choice choice);

// The text in a tone, plain where the terminal has no colour.
[[nodiscard]] std::string paint(const terminal& screen, report::tone look, std::string_view text);

// How tables are laid out there.
[[nodiscard]] report::layout layout_on(const terminal& screen, std::size_t indent = 0);

}  // namespace ridge::app
