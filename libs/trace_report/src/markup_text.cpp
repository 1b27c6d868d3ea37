// SPDX-License-Identifier: Apache-2.0
#include "markup_text.hpp"

#include <algorithm>

namespace ridge::trace_report {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

unsigned char byte_at(std::string_view text, std::size_t i) { return static_cast<unsigned char>(text[i]); }

std::size_t expected_length(unsigned char first) {
  if (first >= 0xC2 && first < 0xE0) return 2;
  if (first >= 0xE0 && first < 0xF0) return 3;
  return first >= 0xF0 && first < 0xF5 ? 4 : 0;
}

bool allowed(char32_t c, std::size_t length) {
  if ((length == 3 && c < 0x800) || (length == 4 && (c < 0x10000 || c > 0x10FFFF))) return false;
  return c >= 0xA0 && (c < 0xD800 || c > 0xDFFF) && c != 0xFFFE && c != 0xFFFF &&
         !(c >= 0x202A && c <= 0x202E) && !(c >= 0x2066 && c <= 0x2069);
}

// Returns the length of the valid multi-byte character that the text starts with; 0 where there is none.
std::size_t character_length(std::string_view text) {
  const auto length = expected_length(byte_at(text, 0));
  if (length == 0 || text.size() < length) return 0;
  char32_t c = byte_at(text, 0) & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte_at(text, i) & 0xC0U) != 0x80) return 0;
    c = (c << 6) | (byte_at(text, i) & 0x3FU);
  }
  return allowed(c, length) ? length : 0;
}

}  // namespace

std::string clean_text(std::string_view text, std::size_t characters) {
  std::string out;
  for (std::size_t left = characters; !text.empty(); --left) {
    if (left == 0) return out + "…";
    const auto first = byte_at(text, 0);
    const auto length = first < 0x80 ? 1 : character_length(text);
    if (length == 0)
      out += replacement;
    else if (first < 0x20 || first == 0x7F)
      out += ' ';
    else
      out += text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

std::string escaped(std::string_view text, std::size_t characters) {
  std::string out;
  for (const char c : clean_text(text, characters)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

}  // namespace ridge::trace_report
