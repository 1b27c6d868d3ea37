// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>

#include <ridge/trace/rank_survey.hpp>
#include <ridge/trace_report/pages.hpp>

#include "input/trace_input.hpp"

namespace ridge::app_trace {

// How the first page of an input is shown.
struct front_choice {
  std::size_t rows = 20;  // of text; JSON and CSV hold all rows
  bool verbose = false;   // text with all rows
  int ranks_per_node = 0;
};

// Adds the figures of a trace in the steps that were chosen, or in its steady ones where `steps` is empty.
// Returns what is wrong with the choice.
[[nodiscard]] std::optional<error> survey_trace(trace::rank_survey& survey, const trace::trace& t,
                                                const std::string& steps);

// Shows the page of one trace, or the ranks side by side where the input holds several traces. Only one trace
// is held at a time. Returns the exit code.
[[nodiscard]] int show_front_page(
    const app::context& context, const trace_input& input, const front_choice& choice,
    const std::function<result<report::document>(const trace_report::scope&)>& page);

}  // namespace ridge::app_trace
