// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <ridge/trace/steps.hpp>
#include <ridge/trace/trace.hpp>

namespace ridge::trace {

// What must be known of a trace before its figures are believed.
struct caution {
  std::string rule{};  // "T2"
  std::string text{};
};
// Returns what the rules of level trust find in one trace alone, with the thresholds of the built-in table:
// it marks pages that show figures without a diagnosis. `steps` are those of the trace, as steps_of() tells.
[[nodiscard]] std::vector<caution> cautions_of(const trace& t, const step_windows& steps);

}  // namespace ridge::trace
