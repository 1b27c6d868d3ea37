// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace ridge::backends::store_postgresql {

// Returns a glob of Ridge, whose wildcards are `*` and `?`, as a pattern of LIKE.
[[nodiscard]] inline std::string like_pattern(std::string_view glob) {
  std::string out;
  for (const char letter : glob) {
    if (letter == '%' || letter == '_' || letter == '\\') out += '\\';
    out += letter == '*' ? '%' : letter == '?' ? '_' : letter;
  }
  return out;
}

}  // namespace ridge::backends::store_postgresql
