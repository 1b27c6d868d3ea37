// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ridge::backends::trace_chrome_json {

// What reading may look at past the end of the text: NUL bytes, so that every scan stops there.
inline constexpr std::size_t text_padding = 64;

// Text being read. The functions that read it take a place and give the place behind what they read, or
// nullptr where it is not what they expect: `stopped` then says where. A stop at the end means that more text
// could change the answer.
struct json_text {
  const char* end = nullptr;  // text_padding NUL bytes stand here
  const char* stopped = nullptr;
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
const char* special_in_text(const char* at);

// `at` stands behind the opening quote; gives the place behind the closing one.
const char* read_text(const char* at, json_text& in, token& into);

// Any value, however deep, without recursion. Inside lists and objects it checks that what follows a text may
// follow it, so that a stray quote is found near where it stands.
const char* skip_value(const char* at, json_text& in);

// The same for an object, faster; `at` is its opening brace.
const char* skip_object(const char* at, json_text& in);

// A value of a member: its key, then where its value begins. `at` stands behind the opening brace or the
// member before. nullptr without a stop (stopped == nullptr): the object's closing brace is at `into.begin`.
const char* read_key(const char* at, json_text& in, token& into);

}  // namespace ridge::backends::trace_chrome_json
