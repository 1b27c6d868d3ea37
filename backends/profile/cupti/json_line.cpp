// SPDX-License-Identifier: Apache-2.0
#include "json_line.hpp"

namespace ridge::backends::profile_cupti {

std::string quoted(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string made = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      made += '\\';
      made += c;
    } else if (code < 0x20) {
      made += "\\u00";
      made += digits[code >> 4U];
      made += digits[code & 15U];
    } else {
      made += c;
    }
  }
  return made += '"';
}

void json_line::begin(std::string_view key) {
  if (!first_) line_ += ',';
  first_ = false;
  line_ += '"';
  line_ += key;
  line_ += "\":";
}

json_line& json_line::raw(std::string_view key, std::string_view json) {
  begin(key);
  line_ += json;
  return *this;
}

json_line& json_line::text(std::string_view key, std::string_view value) { return raw(key, quoted(value)); }

json_line& json_line::time(std::string_view key, std::uint64_t ns) {
  const auto rest = std::to_string(1000 + ns % 1000);
  return raw(key, std::to_string(ns / 1000) + "." + rest.substr(1));
}

json_line& json_line::open(std::string_view key) {
  begin(key);
  line_ += '{';
  first_ = true;
  return *this;
}

json_line& json_line::close() {
  line_ += '}';
  first_ = false;
  return *this;
}

}  // namespace ridge::backends::profile_cupti
