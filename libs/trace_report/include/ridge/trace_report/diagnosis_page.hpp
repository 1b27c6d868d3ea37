// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <ridge/report/document.hpp>
#include <ridge/trace/diagnosis.hpp>
#include <ridge/trace_report/perfetto.hpp>

namespace ridge::trace_report {

// Returns the page ridge.trace.diagnosis/1 with the sheets `devices`, `findings` (ranked), `doubts`,
// `evidence` and `abstentions`. `files` are the inputs as the user named them, for the commands to type next;
// with `full_names` the subjects of findings are shown whole.
[[nodiscard]] report::document diagnosis_page(const trace::diagnosis& d,
                                              const std::vector<std::string>& files, bool full_names = false);

// Returns the ranges that findings rest on, as markers of a timeline.
[[nodiscard]] std::vector<marker> markers_of(const trace::diagnosis& d);

}  // namespace ridge::trace_report
