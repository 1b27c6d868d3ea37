// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace ridge::trace {

// A part of a JSON text, without the spaces around it; `begin` is null where it is missing.
struct json_piece {
  const char* begin = nullptr;
  const char* end = nullptr;

  // Returns whether it is there.
  [[nodiscard]] bool told() const { return begin != nullptr; }
  // The bytes of the piece.
  [[nodiscard]] std::string_view text() const { return {begin, static_cast<std::size_t>(end - begin)}; }
};

// Walks over JSON text up to `end`, which need not be its end. Where the text ends too early or is no JSON,
// walks return nullptr, and `cut` says that it was the end. Values are skipped, not checked: what a walk
// passes may still be damaged inside.
struct json_walk {
  const char* end = nullptr;
  bool cut = false;

  // Returns the first position at or behind `position` that is no space.
  [[nodiscard]] const char* past_space(const char* position) const;
  // Returns the position behind a text, from its opening quote on.
  [[nodiscard]] const char* past_text(const char* position);
  // Returns the position behind any value, of any depth.
  [[nodiscard]] const char* past_value(const char* position);
  // Reads a key, quotes included, and the colon behind it; returns where its value begins.
  [[nodiscard]] const char* past_key(const char* position, json_piece& key);
  // Moves over spaces and commas to the next member or element; false where `closing` stands instead, which
  // is passed, and where the text ends: `position` is then nullptr.
  [[nodiscard]] bool next(const char*& position, char closing);

 private:
  const char* stop(const char* position) {
    cut = position >= end;
    return nullptr;
  }
};

// Returns whether a character ends a number or a word of JSON.
[[nodiscard]] inline bool ends_json_scalar(char c) {
  return c == ',' || c == '}' || c == ']' || c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

}  // namespace ridge::trace
