// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <ridge/report/document.hpp>
#include <ridge/trace/diagnosis.hpp>
#include <ridge/trace_report/perfetto.hpp>

namespace ridge::trace_report {

// ridge.trace.diagnosis/1: sheets `devices`, `findings` (ranked), `doubts`, `evidence`, `abstentions`.
// `files` are what was diagnosed, as the user named it: they stand in the commands to type next.
[[nodiscard]] report::document diagnosis_page(const trace::diagnosis& d,
                                              const std::vector<std::string>& files);

// What findings rest on, as ranges for a timeline.
[[nodiscard]] std::vector<marker> markers_of(const trace::diagnosis& d);

}  // namespace ridge::trace_report
