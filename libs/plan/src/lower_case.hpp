// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace ridge::plan {

// ASCII letters in lower case; all other bytes as they are.
[[nodiscard]] inline std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (auto& letter : lower)
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  return lower;
}

}  // namespace ridge::plan
