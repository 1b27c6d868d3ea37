// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace ridge::report {

// What came from other programs must not move the cursor: control characters but newlines become blanks (a
// table breaks its lines there).
inline std::string harmless(std::string text) {
  for (auto& c : text) {
    const auto u = static_cast<unsigned char>(c);
    if ((u < 0x20 && c != '\n') || u == 0x7f) c = ' ';
  }
  return text;
}

}  // namespace ridge::report
