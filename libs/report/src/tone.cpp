// SPDX-License-Identifier: Apache-2.0
#include <ridge/report/tone.hpp>

namespace ridge::report {
namespace {

std::string_view escape_code(tone t) {
  switch (t) {
    case tone::strong:
      return "\x1b[1m";
    case tone::dim:
      return "\x1b[2m";
    case tone::good:
      return "\x1b[32m";
    case tone::bad:
      return "\x1b[31m";
    case tone::doubtful:
      return "\x1b[33m";
    case tone::plain:
      break;
  }
  return "";
}

}  // namespace

std::string paint(std::string_view text, tone colour, bool color) {
  if (!color || colour == tone::plain || text.empty()) return std::string(text);
  return std::string(escape_code(colour)).append(text).append("\x1b[0m");
}

}  // namespace ridge::report
