// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// Text of strangers between the tags, or in a quoted attribute, of HTML, SVG and XML.
namespace ridge::trace_report {

inline constexpr std::size_t longest_shown = 600;

// The first `characters` of a text, "…" where more was there. Control characters (line breaks too) become
// spaces, what is no UTF-8 or no character of XML U+FFFD.
[[nodiscard]] std::string clean_text(std::string_view text, std::size_t characters = longest_shown);

// Its & < > " ' as references, after clean_text.
[[nodiscard]] std::string escaped(std::string_view text, std::size_t characters = longest_shown);

}  // namespace ridge::trace_report
