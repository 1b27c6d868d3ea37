// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <ridge/trace/diagnosis.hpp>

#include "device_peaks.hpp"
#include "trace_input.hpp"

namespace ridge::app {

// What a diagnosis takes besides traces.
struct diagnosis_input {
  std::vector<std::string> settings{};  // --set I1.idle_share=0.2
  std::vector<std::string> work{};      // --kernel-work gemm=1.7e10
  peaks_choice peaks{};
  bool whole_trace = false;
};

void add_diagnosis_input(command& to, diagnosis_input& in);

[[nodiscard]] result<trace::diagnose_options> diagnose_options_of(const trace_input& from,
                                                                  const diagnosis_input& with);

}  // namespace ridge::app
