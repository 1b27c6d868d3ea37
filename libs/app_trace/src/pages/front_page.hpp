// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include <ridge/trace_report/pages.hpp>

#include "input/trace_input.hpp"

namespace ridge::app_trace {

// How the first page of an input is shown.
struct front_choice {
  std::size_t rows = 20;  // of text; JSON and CSV hold all rows
  bool verbose = false;   // text with all rows
  int ranks_per_node = 0;
};

// Shows the page of one trace, or the ranks side by side where the input holds several traces. Only one trace
// is held at a time. Returns the exit code.
[[nodiscard]] int show_front_page(
    const app::context& context, const trace_input& input, const front_choice& choice,
    const std::function<result<report::document>(const trace_report::scope&)>& page);

}  // namespace ridge::app_trace
