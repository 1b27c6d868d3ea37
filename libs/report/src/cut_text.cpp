// SPDX-License-Identifier: Apache-2.0
#include "cut_text.hpp"

#include <ridge/base/text.hpp>

namespace ridge::report {

std::string cut_text(std::string_view utf8, std::size_t columns) {
  if (display_width(utf8) <= columns) return std::string(utf8);
  std::string front(utf8);
  while (!front.empty() && display_width(front) + 1 > columns) {
    while ((static_cast<unsigned char>(front.back()) & 0xc0u) == 0x80u) front.pop_back();
    front.pop_back();
  }
  return front + "…";
}

}  // namespace ridge::report
