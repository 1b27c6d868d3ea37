// SPDX-License-Identifier: Apache-2.0
#include <ridge/base/escape.hpp>

#include <algorithm>

#include <ridge/base/utf8.hpp>

namespace ridge {
namespace {

std::string_view reference_of(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return {};
  }
}

bool ends_a_line(char c) { return c == '\n' || c == '\r'; }

// Returns the length of the longest run of backticks.
std::size_t longest_fence(std::string_view text) {
  std::size_t longest = 0, run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

}  // namespace

std::string terminal_escaped(std::string_view text, std::size_t most) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  while (!text.empty()) {
    const auto length = utf8_sequence_length(text);
    const auto byte = static_cast<unsigned char>(text.front());
    const bool moves = byte == '\n' || byte == '\t';
    // U+0080 to U+009F control a terminal as well.
    const bool control = (byte < 0x20 && !moves) || byte == 0x7f ||
                         (byte == 0xc2 && length == 2 && static_cast<unsigned char>(text[1]) < 0xa0);
    if (out.size() >= most) return out + "...";
    if (length == 0 || control)
      out += {'\\', 'x', digits[byte >> 4U], digits[byte & 0xfU]};
    else
      out += text.substr(0, length);
    text.remove_prefix(length == 0 || control ? 1 : length);
  }
  return out;
}

std::string markup_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (const auto reference = reference_of(c); !reference.empty())
      out += reference;
    else if (static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t')
      out += c;
  }
  return out;
}

std::string csv_cell(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

std::string markdown_escaped(std::string_view text) {
  constexpr std::string_view syntax = "|*_`<[\\";
  std::string out;
  for (const char c : text) {
    if (syntax.find(c) != std::string_view::npos) out += '\\';
    out += ends_a_line(c) ? ' ' : c;
  }
  return out;
}

std::string markdown_code(std::string_view text) {
  if (text.empty()) return {};
  const auto longest = longest_fence(text);
  const std::string fence(longest + 1, '`'), gap(longest > 0 ? " " : "");
  std::string line(text);
  std::ranges::replace_if(line, ends_a_line, ' ');
  return fence + gap + line + gap + fence;
}

std::string markdown_code_cell(std::string_view text) {
  std::string out;
  for (const char c : markdown_code(text)) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

}  // namespace ridge
