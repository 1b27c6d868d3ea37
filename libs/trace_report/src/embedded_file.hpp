// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace ridge::trace_report {

// Returns a file of data/ by its name; an unknown name is a bug.
[[nodiscard]] std::string_view embedded_text(std::string_view name);

}  // namespace ridge::trace_report
