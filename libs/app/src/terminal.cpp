// SPDX-License-Identifier: Apache-2.0
#include "terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

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

std::string_view code_of(style look) {
  switch (look) {
    case style::bold:
      return "1";
    case style::dim:
      return "2";
    case style::good:
      return "32";
    case style::bad:
      return "31";
    case style::warning:
      return "33";
    case style::plain:
      break;
  }
  return {};
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

std::string paint(const terminal& on, style look, std::string_view text) {
  if (!on.colored || look == style::plain || text.empty()) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", code_of(look), text);
}

}  // namespace ridge::app
