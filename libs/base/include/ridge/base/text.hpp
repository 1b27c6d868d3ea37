// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ridge {

// Returns whether the whole text matches a shell-like pattern: `*` stands for any run of characters, `?` for
// any one character, and every other character for itself.
[[nodiscard]] bool glob_matches(std::string_view pattern, std::string_view text);

// Returns the name most likely meant by a misspelled one: the one with the smallest Damerau edit distance,
// where a name that begins with `wanted` counts as one edit. Returns nothing when no name is within a third
// of the letters (at least two).
[[nodiscard]] std::optional<std::string> nearest_name(std::string_view wanted,
                                                      std::span<const std::string> names);

// Returns the names that may be meant by a misspelled one, at most `most` of them, the nearest first: those
// that nearest_name would accept, at one edit more than the nearest of them at most. Empty where there is
// none.
[[nodiscard]] std::vector<std::string> nearest_names(std::string_view wanted,
                                                     std::span<const std::string> names, std::size_t most);

// Returns the parts between separators, empty ones too: always at least one. They point into `text`.
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);

// Returns `text` without spaces, tabs and line ends at its two ends. The result points into `text`.
[[nodiscard]] std::string_view trim(std::string_view text);

// Returns the parts in order, with the separator between each two.
[[nodiscard]] std::string join(std::span<const std::string> parts, std::string_view separator);

// Returns the letter with an ASCII capital made small; every other byte is unchanged, whatever the locale.
[[nodiscard]] constexpr char lower_case(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + ('a' - 'A')) : letter;
}
// Returns the text with every ASCII capital made small.
[[nodiscard]] std::string lower_case(std::string_view text);

// Returns whether `text` contains `part`, without regard to the case of ASCII letters. Every text contains an
// empty part.
[[nodiscard]] bool contains_ignoring_case(std::string_view text, std::string_view part);

// Returns the number of terminal columns that a UTF-8 text occupies (combining marks 0, wide characters 2).
[[nodiscard]] std::size_t display_width(std::string_view utf8);

// Return the text with spaces after it (pad_right) or before it (pad_left) until it occupies `columns`; a
// text that is already as wide is unchanged.
[[nodiscard]] std::string pad_right(std::string_view utf8, std::size_t columns);
[[nodiscard]] std::string pad_left(std::string_view utf8, std::size_t columns);

// Breaks a text at spaces so that no line is wider than `columns`; each continued line starts with `indent`
// spaces.
[[nodiscard]] std::string wrap(std::string_view text, std::size_t columns, std::size_t indent = 0);

}  // namespace ridge
