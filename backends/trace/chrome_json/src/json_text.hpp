// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "text_block.hpp"

namespace ridge::backends::trace_chrome_json {

// Number of NUL bytes behind the text that scans may read; every scan stops there.
inline constexpr std::size_t text_padding = 128;

// The text being read. Its readers take a position and return the position behind what they read, or nullptr
// where the text is not what they expect; `stopped` is then where. A stop at the end means that more text
// could change the result.
struct json_text {
  const char* end = nullptr;  // followed by text_padding NUL bytes
  const char* stopped = nullptr;
  // Counts of what was read, even if it is read again; who reads again resets them.
  std::uint64_t controls = 0;    // raw control characters inside texts
  std::uint64_t non_finite = 0;  // NaN and infinities

  const char* stop(const char* position) {
    stopped = position;
    return nullptr;
  }
  [[nodiscard]] bool stopped_at_end() const { return stopped >= end; }
};

// The bytes between two quotes, or those of a whole value.
struct token {
  const char* begin = nullptr;
  const char* end = nullptr;
  bool plain = true;  // neither escapes nor control characters

  [[nodiscard]] bool told() const { return begin != nullptr; }
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(end - begin); }
  [[nodiscard]] std::string_view text() const { return {begin, size()}; }
};

inline bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

inline const char* past_space(const char* position) {
  while (is_space(*position)) ++position;
  return position;
}

// Returns the first quote, backslash or control character at or behind `position`.
inline const char* special_in_text(const char* position) {
  for (;; position += text_block::size) {
    if (const auto found = text_block(position).specials()) return position + lowest(found);
  }
}

// Reads a text that is not plain; `position` is its first special character.
const char* read_odd_text(const char* begin, const char* position, json_text& text, token& value);

// Reads a text; `position` is behind the opening quote. Returns the position behind the closing one.
inline const char* read_text(const char* position, json_text& text, token& value) {
  const auto* special = special_in_text(position);
  if (*special != '"') [[unlikely]]
    return read_odd_text(position, special, text, value);
  value = {position, special, true};
  return special + 1;
}

// Skips any value of any depth, without recursion. Inside lists and objects it checks that what follows a
// text may follow it, so that a stray quote is found near its place.
const char* skip_value(const char* position, json_text& text);

// Skips a list or an object.
const char* skip_nested(const char* position, json_text& text);

// Skips an object whose texts are read later.
const char* skip_odd_object(const char* position, json_text& text);

// Skips an object faster: a closing brace behind an even number of quotes closes it when no brace was opened
// and no quote escaped; skip_odd_object() handles everything else.
inline const char* skip_object(const char* begin, json_text& text) {
  unsigned quotes = 0;
  for (const auto* next = begin + 1; next < text.end; next += text_block::size) {
    const text_block block(next);
    const auto quote = block.equal('"'), stops = block.braces_or_escapes();
    if (stops == 0) {
      quotes ^= odd(quote);
      continue;
    }
    const auto first = lowest(stops);
    const bool closes = next[first] == '}' && (quotes ^ odd(quote & below(first))) == 0;
    return closes ? next + first + 1 : skip_odd_object(begin, text);
  }
  return text.stop(text.end);
}

// Reads a member's key and returns where its value begins. `position` is behind the opening brace or the
// member before. Returns nullptr without a stop (stopped == nullptr) where the object ends; its closing brace
// is then at `value.begin`.
const char* read_key(const char* position, json_text& text, token& value);

}  // namespace ridge::backends::trace_chrome_json
