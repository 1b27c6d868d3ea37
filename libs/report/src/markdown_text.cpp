// SPDX-License-Identifier: Apache-2.0
#include "markdown_text.hpp"

#include <fmt/format.h>

namespace ridge::report {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|' || c == '*' || c == '_' || c == '`' || c == '<' || c == '[' || c == '\\') out += '\\';
    out += c == '\n' || c == '\r' ? ' ' : c;
  }
  return out;
}

std::string code(std::string_view text) { return text.empty() ? "" : fmt::format("`{}`", text); }

std::string markdown_row(const std::vector<std::string>& cells) {
  std::string out;
  for (const auto& c : cells) out += "| " + c + ' ';
  return out + "|\n";
}

std::string markdown_rule(std::size_t columns, std::size_t left) {
  std::string out;
  for (std::size_t i = 0; i < columns; ++i) out += i < left ? "| --- " : "| ---: ";
  return out + "|\n";
}

}  // namespace ridge::report
