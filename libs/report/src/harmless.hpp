// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace ridge::report {

// Replaces control characters except newlines with blanks, so that text from other programs cannot move the
// cursor (a table breaks its lines at newlines).
inline std::string harmless(std::string text) {
  for (auto& c : text) {
    const auto u = static_cast<unsigned char>(c);
    if ((u < 0x20 && c != '\n') || u == 0x7f) c = ' ';
  }
  return text;
}

}  // namespace ridge::report
