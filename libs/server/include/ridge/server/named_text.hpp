// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::server {

// A header field, a parameter of a query, or a variable of a path.
struct named_text {
  std::string name{};
  std::string value{};
};

// Returns the value of the first entry of this name, which points into `entries`; nothing where there is
// none.
[[nodiscard]] std::optional<std::string_view> value_of(const std::vector<named_text>& entries,
                                                       std::string_view name);

}  // namespace ridge::server
