// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include <ridge/trace_report/pages.hpp>

#include "input/trace_input.hpp"

namespace ridge::app_trace {

// Prints documents as the input's flags ask: text, --json or --csv.
void print_documents(const app::context& in, const trace_input& as, const std::vector<report::document>& all);

// A page of each trace that the input names. What is wrong with it becomes the exit code.
[[nodiscard]] int show_pages(const app::context& in, const trace_input& from, std::size_t rows,
                             const std::function<result<report::document>(const trace_report::scope&)>& page);

// The view that the input asks for.
[[nodiscard]] result<trace_report::view> view_of(const trace_input& from, std::size_t rows);

}  // namespace ridge::app_trace
