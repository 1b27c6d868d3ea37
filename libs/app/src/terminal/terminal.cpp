// SPDX-License-Identifier: Apache-2.0
#include <ridge/app/terminal.hpp>

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace ridge::app {
namespace {

constexpr std::size_t narrowest = 40;
constexpr std::size_t widest = 120;

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view{} : std::string_view{value};
}

std::size_t columns_of(int descriptor) {
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 100;
  return std::clamp<std::size_t>(size.ws_col, narrowest, widest);
}

}  // namespace

terminal terminal_of(int descriptor, color_choice choice) {
  terminal made;
  made.interactive = isatty(descriptor) == 1;
  if (made.interactive) made.columns = columns_of(descriptor);
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
