// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cctype>
#include <string_view>

#include <ridge/base/text.hpp>

// How names of events, kernels and counters are searched for words. Only ASCII letters match without regard
// to case.
namespace ridge::trace {

[[nodiscard]] inline bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

// Whether two characters are equal without regard to case.
[[nodiscard]] constexpr bool same_letter(char a, char b) { return lower_case(a) == lower_case(b); }

[[nodiscard]] inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace ridge::trace
