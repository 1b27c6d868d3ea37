// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace ridge::backends::trace_chrome_json {

struct unescaped_text {
  std::string text{};
  bool broken = false;  // an escape or UTF-8 sequence was none; U+FFFD stands for it
};

// What the bytes between two quotes say. Raw control characters stay.
[[nodiscard]] unescaped_text unescape(std::string_view raw);

// Whether the bytes are UTF-8 and hold no escape, so that they say what they are.
[[nodiscard]] bool says_itself(std::string_view raw);

}  // namespace ridge::backends::trace_chrome_json
