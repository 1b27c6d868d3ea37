// SPDX-License-Identifier: Apache-2.0
#include "markup_text.hpp"

#include <algorithm>

#include <ridge/base/escape.hpp>
#include <ridge/base/utf8.hpp>

namespace ridge::trace_report {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

unsigned char byte_at(std::string_view text, std::size_t i) { return static_cast<unsigned char>(text[i]); }

// Whether XML and a page of one direction of writing may hold this character of several bytes.
bool allowed(std::string_view character) {
  char32_t c = byte_at(character, 0) & (0xFFU >> (character.size() + 1));
  for (const char part : character.substr(1)) c = (c << 6) | (static_cast<unsigned char>(part) & 0x3FU);
  return c >= 0xA0 && c != 0xFFFE && c != 0xFFFF && !(c >= 0x202A && c <= 0x202E) &&
         !(c >= 0x2066 && c <= 0x2069);
}

// Returns the length of the character of several bytes that the text starts with; 0 where there is none.
std::size_t character_length(std::string_view text) {
  const auto length = utf8_sequence_length(text);
  return length > 1 && allowed(text.substr(0, length)) ? length : 0;
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
  return markup_escaped(clean_text(text, characters));
}

}  // namespace ridge::trace_report
