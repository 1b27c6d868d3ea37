// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace ridge::backends::profile_cupti {

// Writes one JSON object on a line, member by member. It needs no library, because it runs inside other
// programs.
class json_line {
 public:
  explicit json_line(std::string& output) : line_(output) { line_ += '{'; }

  json_line& text(std::string_view key, std::string_view value);
  template <std::integral T>
  json_line& number(std::string_view key, T value) {
    return raw(key, std::to_string(value));
  }
  // Adds a time in nanoseconds as microseconds with three decimals.
  json_line& time(std::string_view key, std::uint64_t ns);
  json_line& raw(std::string_view key, std::string_view json);
  json_line& open(std::string_view key);  // an object as the next value, until close()
  json_line& close();
  void end() { line_ += "}\n"; }

 private:
  void begin(std::string_view key);
  std::string& line_;
  bool first_ = true;
};

// Appends a text in quotes. Bytes that are not UTF-8 stay as they are; readers replace them.
[[nodiscard]] std::string quoted(std::string_view text);

}  // namespace ridge::backends::profile_cupti
