// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include <ridge/validity/issue.hpp>

namespace ridge::validity {

// The words for a value, as they are printed: "memory and cache", "every sample". They point to static text.
[[nodiscard]] std::string_view name(category value);
[[nodiscard]] std::string_view name(threat value);
[[nodiscard]] std::string_view name(status value);
[[nodiscard]] std::string_view name(place value);
[[nodiscard]] std::string_view name(severity value);

// Returns the words of a list, which point into it; none for an empty text.
[[nodiscard]] std::vector<std::string_view> words_of(std::string_view list);

}  // namespace ridge::validity
