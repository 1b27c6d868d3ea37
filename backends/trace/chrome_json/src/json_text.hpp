// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "text_block.hpp"

namespace ridge::backends::trace_chrome_json {

// What reading may look at past the end of the text: NUL bytes, so that every scan stops there.
inline constexpr std::size_t text_padding = 128;

// Text being read. The functions that read it take a place and give the place behind what they read, or
// nullptr where it is not what they expect: `stopped` then says where. A stop at the end means that more text
// could change the answer.
struct json_text {
  const char* end = nullptr;  // text_padding NUL bytes stand there
  const char* stopped = nullptr;
  // What was read, even if it is to be read again; whoever does so sets them back.
  std::uint64_t controls = 0;    // raw control characters inside texts
  std::uint64_t non_finite = 0;  // NaN and infinities

  const char* stop(const char* at) {
    stopped = at;
    return nullptr;
  }
  [[nodiscard]] bool stopped_at_end() const { return stopped >= end; }
};

// The bytes between two quotes, or of a whole value.
struct token {
  const char* begin = nullptr;
  const char* end = nullptr;
  bool plain = true;  // neither escapes nor control characters

  [[nodiscard]] bool told() const { return begin != nullptr; }
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(end - begin); }
  [[nodiscard]] std::string_view text() const { return {begin, size()}; }
};

inline bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

inline const char* past_space(const char* at) {
  while (is_space(*at)) ++at;
  return at;
}

// The first quote, backslash or control character at or behind `at`.
inline const char* special_in_text(const char* at) {
  for (;; at += text_block::size) {
    if (const auto found = text_block(at).specials()) return at + lowest(found);
  }
}

// The same for a text that is not plain, from its first special character on.
const char* read_odd_text(const char* begin, const char* special, json_text& in, token& into);

// `at` stands behind the opening quote; gives the place behind the closing one.
inline const char* read_text(const char* at, json_text& in, token& into) {
  const auto* special = special_in_text(at);
  if (*special != '"') [[unlikely]]
    return read_odd_text(at, special, in, into);
  into = {at, special, true};
  return special + 1;
}

// Any value, however deep, without recursion. Inside lists and objects it checks that what follows a text may
// follow it, so that a stray quote is found near where it stands.
const char* skip_value(const char* at, json_text& in);

// The same for a list or object.
const char* skip_nested(const char* at, json_text& in);

// The same for an object whose texts are read later.
const char* skip_odd_object(const char* at, json_text& in);

// The same, faster: a closing brace behind an even number of quotes closes it when no brace was
// opened and no quote escaped; anything else is for the careful way.
inline const char* skip_object(const char* begin, json_text& in) {
  unsigned quotes = 0;
  for (const auto* at = begin + 1; at < in.end; at += text_block::size) {
    const text_block block(at);
    const auto quote = block.equal('"'), stops = block.braces_or_escapes();
    if (stops == 0) {
      quotes ^= odd(quote);
      continue;
    }
    const auto first = lowest(stops);
    const bool closes = at[first] == '}' && (quotes ^ odd(quote & below(first))) == 0;
    return closes ? at + first + 1 : skip_odd_object(begin, in);
  }
  return in.stop(in.end);
}

// A value of a member: its key, then where its value begins. `at` stands behind the opening brace or the
// member before. nullptr without a stop (stopped == nullptr): the object's closing brace is at `into.begin`.
const char* read_key(const char* at, json_text& in, token& into);

}  // namespace ridge::backends::trace_chrome_json
