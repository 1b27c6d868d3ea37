// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ridge::plan {

// Rows of a text of comma-separated values with double-quoted cells (RFC 4180). Empty lines are left out; a
// byte-order mark is too.
[[nodiscard]] std::vector<std::vector<std::string>> comma_rows(std::string_view text);

}  // namespace ridge::plan
