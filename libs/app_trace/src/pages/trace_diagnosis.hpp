// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include <ridge/trace/diagnosis.hpp>

#include "input/trace_input.hpp"
#include "pages/device_peaks.hpp"

namespace ridge::app_trace {

// What a diagnosis takes besides traces.
struct diagnosis_input {
  std::vector<std::string> settings{};  // --set I1.idle_share=0.2
  std::vector<std::string> work{};      // --kernel-work gemm=1.7e10
  peaks_choice peaks{};
  bool whole_trace = false;
};

void add_diagnosis_input(app::command& to, diagnosis_input& in);

[[nodiscard]] result<trace::diagnose_options> diagnose_options_of(const trace_input& from,
                                                                  const diagnosis_input& with);

// What the rules say of the traces. As things to learn from only experiments stand there that this program
// has.
[[nodiscard]] trace::diagnosis diagnosis_of(const app::context& in, std::span<const trace::trace> traces,
                                            const trace::diagnose_options& options);

}  // namespace ridge::app_trace
