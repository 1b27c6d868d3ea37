// SPDX-License-Identifier: Apache-2.0
#include "rows.hpp"

#include <fmt/format.h>

namespace ridge::backends::store_sqlite {

std::string sqlite_glob(std::string_view glob) {
  std::string out;
  for (const char c : glob) out += c == '[' ? std::string("[[]") : std::string(1, c);
  return out;
}

std::string pattern_of(std::string_view text) {
  return store::is_glob(text) ? sqlite_glob(text) : std::string(text);
}

std::string condition(std::string_view column, std::string_view text, int place) {
  if (text == "*") return fmt::format("?{} = '*'", place);
  return fmt::format("{} {} ?{}", column, store::is_glob(text) ? "GLOB" : "=", place);
}

}  // namespace ridge::backends::store_sqlite
