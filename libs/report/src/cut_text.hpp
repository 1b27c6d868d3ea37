// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ridge::report {

// Returns the text, with an ellipsis for its end where it occupies more than so many terminal columns.
[[nodiscard]] std::string cut_text(std::string_view utf8, std::size_t columns);

}  // namespace ridge::report
