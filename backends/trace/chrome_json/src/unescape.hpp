// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace ridge::backends::trace_chrome_json {

struct unescaped_text {
  std::string text{};
  bool broken = false;  // an escape or UTF-8 sequence was invalid; U+FFFD replaces it
};

// Returns the text that the bytes between two quotes stand for. Raw control characters stay.
[[nodiscard]] unescaped_text unescape(std::string_view raw);

// Returns whether the bytes are UTF-8 without escapes, so that they are the text itself.
[[nodiscard]] bool says_itself(std::string_view raw);

}  // namespace ridge::backends::trace_chrome_json
