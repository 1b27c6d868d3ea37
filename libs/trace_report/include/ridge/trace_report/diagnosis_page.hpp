// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <ridge/trace/diagnosis.hpp>
#include <ridge/trace_report/document.hpp>
#include <ridge/trace_report/perfetto.hpp>

namespace ridge::trace_report {

// What the words of a diagnosis are fitted to.
struct diagnosis_view {
  std::vector<std::string> files{};  // as the user named them: they stand in the commands to type next
  std::vector<std::string>
      experiments{};  // that this program has; others are not shown as something to learn from
};

// ridge.trace.diagnosis/1: sheets `devices`, `findings` (ranked), `doubts`, `evidence`, `abstentions`.
[[nodiscard]] document diagnosis_page(const trace::diagnosis& d, const diagnosis_view& view);

// What findings rest on, as ranges for a timeline.
[[nodiscard]] std::vector<marker> markers_of(const trace::diagnosis& d);

}  // namespace ridge::trace_report
