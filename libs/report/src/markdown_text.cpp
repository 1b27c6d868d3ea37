// SPDX-License-Identifier: Apache-2.0
#include "markdown_text.hpp"

namespace ridge::report {

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
