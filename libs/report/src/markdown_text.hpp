// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::report {

// Text that stays inside its cell and means itself.
[[nodiscard]] std::string escaped(std::string_view text);

// The text in backticks; nothing for nothing.
[[nodiscard]] std::string code(std::string_view text);

// "| a | b |" and a line end.
[[nodiscard]] std::string markdown_row(const std::vector<std::string>& cells);

// The line under a header: the first `left` columns to the left, the others to the right.
[[nodiscard]] std::string markdown_rule(std::size_t columns, std::size_t left);

}  // namespace ridge::report
