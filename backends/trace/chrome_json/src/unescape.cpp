// SPDX-License-Identifier: Apache-2.0
#include "unescape.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>

namespace ridge::backends::trace_chrome_json {
namespace {

constexpr std::string_view replacement = "\xef\xbf\xbd";

void append_code(std::string& output, std::uint32_t code) {
  const auto byte = [&output](std::uint32_t b) { output += static_cast<char>(b); };
  if (code < 0x80) return byte(code);
  if (code < 0x800) return byte(0xc0 | code >> 6), byte(0x80 | (code & 0x3f));
  if (code < 0x10000)
    byte(0xe0 | code >> 12);
  else
    byte(0xf0 | code >> 18), byte(0x80 | (code >> 12 & 0x3f));
  byte(0x80 | (code >> 6 & 0x3f)), byte(0x80 | (code & 0x3f));
}

// Takes the four hexadecimal digits behind "\u" off the text and returns their value.
std::optional<std::uint32_t> hex4(std::string_view& rest) {
  std::uint32_t code = 0;
  if (rest.size() < 4) return std::nullopt;
  const auto [end, failed] = std::from_chars(rest.data(), rest.data() + 4, code, 16);
  if (failed != std::errc() || end != rest.data() + 4) return std::nullopt;
  rest.remove_prefix(4);
  return code;
}

bool is_high(std::uint32_t c) { return c >= 0xd800 && c < 0xdc00; }
bool is_low(std::uint32_t c) { return c >= 0xdc00 && c < 0xe000; }

// Returns the character whose digits begin `rest`, behind "\u"; half a surrogate pair is invalid.
std::optional<std::uint32_t> code_point(std::string_view& rest) {
  const auto first = hex4(rest);
  if (!first || (!is_high(*first) && !is_low(*first))) return first;
  if (is_low(*first) || !rest.starts_with("\\u")) return std::nullopt;
  auto behind = rest.substr(2);
  const auto second = hex4(behind);
  if (!second || !is_low(*second)) return std::nullopt;
  rest = behind;
  return 0x10000 + ((*first - 0xd800) << 10) + (*second - 0xdc00);
}

bool append_escape(std::string& output, std::string_view& rest) {
  constexpr std::string_view letters = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
  if (rest.empty()) return false;
  const char c = rest.front();
  rest.remove_prefix(1);
  if (c != 'u') {
    const auto at = letters.find(c);
    if (at == std::string_view::npos) return false;
    output += meanings[at];
    return true;
  }
  const auto code = code_point(rest);
  if (code) append_code(output, *code);
  return code.has_value();
}

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

// Returns the number of bytes of the UTF-8 sequence at the front; 0 where it is invalid, as overlong forms,
// halves of pairs and values beyond Unicode are.
std::size_t sequence_length(std::string_view s) {
  const auto byte = [s](std::size_t i) { return static_cast<unsigned char>(s[i]); };
  if (byte(0) < 0x80) return 1;
  const std::size_t length = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
  if (byte(0) < 0xc2 || byte(0) > 0xf4 || s.size() < length) return 0;
  if (!std::ranges::all_of(s.substr(1, length - 1), continues)) return 0;
  const bool overlong = (byte(0) == 0xe0 && byte(1) < 0xa0) || (byte(0) == 0xf0 && byte(1) < 0x90);
  const bool beyond = (byte(0) == 0xed && byte(1) >= 0xa0) || (byte(0) == 0xf4 && byte(1) >= 0x90);
  return overlong || beyond ? 0 : length;
}

}  // namespace

unescaped_text unescape(std::string_view raw) {
  unescaped_text out;
  while (!raw.empty()) {
    bool good = true;
    if (raw.front() == '\\') {
      raw.remove_prefix(1);
      good = append_escape(out.text, raw);
    } else {
      const auto length = sequence_length(raw);
      good = length > 0;
      if (good) out.text += raw.substr(0, length);
      raw.remove_prefix(std::max<std::size_t>(length, 1));
    }
    if (!good) out.text += replacement;
    out.broken |= !good;
  }
  return out;
}

bool says_itself(std::string_view raw) {
  if (std::ranges::none_of(raw, [](char c) { return c == '\\' || static_cast<unsigned char>(c) >= 0x80; }))
    return true;
  while (!raw.empty()) {
    const auto length = raw.front() == '\\' ? 0 : sequence_length(raw);
    if (length == 0) return false;
    raw.remove_prefix(length);
  }
  return true;
}

}  // namespace ridge::backends::trace_chrome_json
