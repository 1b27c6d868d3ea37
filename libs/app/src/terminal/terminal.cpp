// SPDX-License-Identifier: Apache-2.0
#include <ridge/app/terminal.hpp>

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

namespace ridge::app {
namespace {

constexpr std::size_t narrowest = 40;
constexpr std::size_t widest = 120;    // of prose
constexpr std::size_t farthest = 500;  // of tables that have long names

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view{} : std::string_view{value};
}

// COLUMNS, where it is set, comes before what the terminal says.
std::size_t columns_of(int descriptor, bool interactive) {
  const auto told = variable("COLUMNS");
  std::size_t columns = 0;
  const auto [end, code] = std::from_chars(told.data(), told.data() + told.size(), columns);
  if (code == std::errc{} && end == told.data() + told.size() && columns > 0) return columns;
  winsize size{};
  if (!interactive || ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 100;
  return size.ws_col;
}

}  // namespace

terminal terminal_of(int descriptor, color_choice choice) {
  terminal made;
  made.interactive = isatty(descriptor) == 1;
  const auto columns = columns_of(descriptor, made.interactive);
  made.columns = std::clamp(columns, narrowest, widest);
  made.table_columns = std::clamp(columns, narrowest, farthest);
  const bool wanted = made.interactive && variable("NO_COLOR").empty() && variable("TERM") != "dumb";
  made.colored = choice == color_choice::always || (choice == color_choice::automatic && wanted);
  return made;
}

std::string paint(const terminal& screen, report::tone look, std::string_view text) {
  return report::paint(text, look, screen.colored);
}

report::layout layout_on(const terminal& screen, std::size_t indent) {
  return {.columns = screen.columns, .indent = indent, .color = screen.colored};
}

}  // namespace ridge::app
