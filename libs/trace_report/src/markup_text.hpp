// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// Untrusted text between the tags, or in a quoted attribute, of HTML, SVG and XML.
namespace ridge::trace_report {

inline constexpr std::size_t longest_shown = 600;

// Returns the first `characters` of a text, with "…" where it was longer. Control characters and line breaks
// become spaces; bytes that are not UTF-8 and characters that XML does not allow become U+FFFD.
[[nodiscard]] std::string clean_text(std::string_view text, std::size_t characters = longest_shown);

// Returns the text after clean_text() with & < > " ' as references.
[[nodiscard]] std::string escaped(std::string_view text, std::size_t characters = longest_shown);

}  // namespace ridge::trace_report
