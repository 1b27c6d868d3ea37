// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include <ridge/trace/communication_names.hpp>
#include <ridge/trace/diagnosis.hpp>
#include <ridge/trace_report/perfetto.hpp>

namespace ridge::app_trace {

// Traces of one job on one clock.
struct placed_traces {
  std::vector<trace_report::placed_trace> all{};  // in the order given
  std::vector<std::string> notes{};               // how the clocks were aligned, one line per trace
};

// Aligns the clocks of traces. A single trace stays on its own clock, without a label.
[[nodiscard]] placed_traces place(std::span<const trace::trace> traces,
                                  const trace::communication_names& names);

// Returns the ranges that findings rest on, on the common clock.
[[nodiscard]] std::vector<trace_report::marker> markers_on(
    trace::diagnosis found, std::span<const trace_report::placed_trace> placed);

}  // namespace ridge::app_trace
