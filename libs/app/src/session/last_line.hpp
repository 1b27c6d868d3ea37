// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <ridge/base/text.hpp>

namespace ridge::app {

// Returns the last line of the output of a program that is not blank, which usually says why it failed.
[[nodiscard]] inline std::string last_line(std::string_view text) {
  text = trim(text);
  return std::string(text.substr(text.rfind('\n') + 1));
}

}  // namespace ridge::app
