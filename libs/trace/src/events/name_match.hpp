// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cctype>
#include <string_view>

// How names of events, kernels and counters are searched for words. ASCII; letters beyond it match only
// themselves.
namespace ridge::trace {

[[nodiscard]] inline bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

// Whether two characters are equal but for their case.
[[nodiscard]] inline bool same_letter(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

[[nodiscard]] inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// As contains(), whatever the case of either.
[[nodiscard]] inline bool contains_any_case(std::string_view text, std::string_view part) {
  return !std::ranges::search(text, part, same_letter).empty();
}

}  // namespace ridge::trace
