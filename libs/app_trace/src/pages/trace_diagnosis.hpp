// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include <ridge/trace/diagnosis.hpp>

#include "input/trace_input.hpp"
#include "pages/device_peaks.hpp"

namespace ridge::app_trace {

// The options of a diagnosis besides traces.
struct diagnosis_input {
  std::vector<std::string> settings{};  // --set I1.idle_share=0.2
  std::vector<std::string> work{};      // --kernel-work gemm=1.7e10
  peaks_choice peaks{};
  bool whole_trace = false;
};

void add_diagnosis_input(app::command& command, diagnosis_input& input);

[[nodiscard]] result<trace::diagnose_options> diagnose_options_of(const trace_input& input,
                                                                  const diagnosis_input& choices);

// Returns the diagnosis of the traces. It names only experiments that this program has.
[[nodiscard]] trace::diagnosis diagnosis_of(const app::context& context, std::span<const trace::trace> traces,
                                            const trace::diagnose_options& options);

}  // namespace ridge::app_trace
