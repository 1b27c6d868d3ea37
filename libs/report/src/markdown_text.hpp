// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::report {

// Returns "| a | b |" and a line end.
[[nodiscard]] std::string markdown_row(const std::vector<std::string>& cells);

// Returns the line below a header: the first `left` columns are aligned to the left, the others to the right.
[[nodiscard]] std::string markdown_rule(std::size_t columns, std::size_t left);

}  // namespace ridge::report
