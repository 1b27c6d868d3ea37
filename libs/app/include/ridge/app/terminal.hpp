// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <ridge/report/table.hpp>

namespace ridge::app {

// The choice of the option --color.
enum class color_choice : std::uint8_t { automatic, always, never };

// The terminal, file or pipe behind stdout or stderr.
struct terminal {
  bool interactive = false;
  bool colored = false;
  std::size_t columns = 100;  // width of a line of prose: COLUMNS, else the terminal's, else 100; at most 120
  std::size_t table_columns = 100;  // the same for tables with long names, at most 500
};

// Returns what is behind a file descriptor; NO_COLOR and TERM=dumb count when the choice is automatic.
[[nodiscard]] terminal terminal_of(int descriptor, color_choice choice);

// Returns the text in a tone, plain where the terminal shows no colour.
[[nodiscard]] std::string paint(const terminal& screen, report::tone look, std::string_view text);

// Returns how tables are laid out on this terminal, indented by so many columns.
[[nodiscard]] report::layout layout_on(const terminal& screen, std::size_t indent = 0);

}  // namespace ridge::app
