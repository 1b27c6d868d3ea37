// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include <ridge/trace_report/pages.hpp>

#include "input/trace_input.hpp"

namespace ridge::app_trace {

// Prints documents as the input's flags request, as text, JSON or CSV, and returns the exit code.
[[nodiscard]] int print_documents(const app::context& context, const trace_input& input,
                                  const std::vector<report::document>& all);

// Shows a page of each trace that the input names, and returns the exit code.
[[nodiscard]] int show_pages(const app::context& context, const trace_input& input, std::size_t rows,
                             const std::function<result<report::document>(const trace_report::scope&)>& page);

// Returns the view that the input requests.
[[nodiscard]] result<trace_report::view> view_of(const trace_input& input, std::size_t rows);

}  // namespace ridge::app_trace
