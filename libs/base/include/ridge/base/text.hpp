// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ridge {

// Whether the whole text matches a shell-like pattern: `*` stands for any run of characters, `?` for any one
// character, everything else for itself.
[[nodiscard]] bool glob_matches(std::string_view pattern, std::string_view text);

// The name most likely meant by a misspelled one: smallest Damerau edit distance, a name that begins with
// `wanted` counting as one edit. Empty when none is nearer than a third of the letters (two at least).
[[nodiscard]] std::optional<std::string> nearest_name(std::string_view wanted,
                                                      std::span<const std::string> names);

// The parts between separators, empty ones too: always at least one. They point into `text`.
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);

// `text` without spaces, tabs and line ends at its two ends. Points into `text`.
[[nodiscard]] std::string_view trim(std::string_view text);

// The parts in order, the separator between each two.
[[nodiscard]] std::string join(std::span<const std::string> parts, std::string_view separator);

// ASCII capitals made small; every other byte unchanged, whatever the locale.
[[nodiscard]] constexpr char lower_case(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + ('a' - 'A')) : letter;
}
[[nodiscard]] std::string lower_case(std::string_view text);

// Whether `text` holds `part`, ASCII letters compared without regard to case. Everything holds an empty part.
[[nodiscard]] bool contains_ignoring_case(std::string_view text, std::string_view part);

// Terminal columns that a UTF-8 text occupies (combining marks 0, wide characters 2).
[[nodiscard]] std::size_t display_width(std::string_view utf8);

// The text with spaces behind it (before it) until it occupies `columns`; unchanged where it already does.
[[nodiscard]] std::string pad_right(std::string_view utf8, std::size_t columns);
[[nodiscard]] std::string pad_left(std::string_view utf8, std::size_t columns);

// Breaks at spaces so that no line is wider than `columns`; each continued line starts with `indent` spaces.
[[nodiscard]] std::string wrap(std::string_view text, std::size_t columns, std::size_t indent = 0);

}  // namespace ridge
