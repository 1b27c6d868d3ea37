// SPDX-License-Identifier: Apache-2.0
#include "rearranging.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace ridge::trace {

bool only_rearranges(std::string_view kernel) {
  constexpr std::array<std::string_view, 7> marks{"transpose",   "permute",  "nchwtonhwc", "nhwctonchw",
                                                  "direct_copy", "reorder_", "im2col"};
  const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  return std::ranges::any_of(
      marks, [&](std::string_view mark) { return !std::ranges::search(kernel, mark, same).empty(); });
}

}  // namespace ridge::trace
