// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace ridge::trace_report {

// A file of data/, by its name; a name that is not there is a bug.
[[nodiscard]] std::string_view embedded_text(std::string_view name);

}  // namespace ridge::trace_report
