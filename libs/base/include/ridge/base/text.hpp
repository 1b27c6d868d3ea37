// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ridge {

// `*` any run, `?` any one character; everything else stands for itself.
[[nodiscard]] bool glob_matches(std::string_view pattern, std::string_view text);

// The name with the smallest edit distance (Damerau, insertions cheap at the end), when it is near enough to
// be meant.
[[nodiscard]] std::optional<std::string> nearest_name(std::string_view wanted,
                                                      std::span<const std::string> names);

[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);
[[nodiscard]] std::string_view trim(std::string_view text);
[[nodiscard]] std::string join(std::span<const std::string> parts, std::string_view separator);

// Terminal columns a UTF-8 text takes (combining marks 0, wide characters 2).
[[nodiscard]] std::size_t display_width(std::string_view utf8);
[[nodiscard]] std::string pad_right(std::string_view utf8, std::size_t columns);
[[nodiscard]] std::string pad_left(std::string_view utf8, std::size_t columns);

// Breaks at spaces so that no line is wider than `columns`; each continued line starts with `indent` spaces.
[[nodiscard]] std::string wrap(std::string_view text, std::size_t columns, std::size_t indent = 0);

}  // namespace ridge
