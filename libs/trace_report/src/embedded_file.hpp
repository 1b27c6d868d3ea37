// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string_view>

namespace ridge::trace_report {

// Returns a file of data/ by its name; an unknown name is a bug.
[[nodiscard]] std::string_view embedded_text(std::string_view name);

// Writes a page and inserts pieces where it names them, "{{piece}}". The content of a piece is never
// interpreted.
void fill_in(std::string_view page, const std::function<void(std::string_view piece)>& put,
             const std::function<void(std::string_view)>& out);

}  // namespace ridge::trace_report
