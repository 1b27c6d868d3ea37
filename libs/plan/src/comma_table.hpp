// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ridge::plan {

// Splits comma-separated values into rows of cells, with double-quoted cells (RFC 4180). Empty lines and a
// byte-order mark are skipped.
[[nodiscard]] std::vector<std::vector<std::string>> comma_rows(std::string_view text);

}  // namespace ridge::plan
