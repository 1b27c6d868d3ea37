// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include <cupti.h>

#include <ridge/measure/gpu_trace.hpp>

namespace ridge::backends::measure_cupti {

// Returns the name of an API call by CUPTI's number for it; empty where it is not known.
using api_names = std::function<std::string(CUpti_CallbackDomain domain, CUpti_CallbackId call)>;

// Adds a record to the trace; records of unused kinds are ignored. Work whose times CUPTI could not collect
// counts as dropped.
void add_record(const CUpti_Activity& record, const api_names& names, measure::gpu_trace& trace);

// The name of an API call without its version and suffix: "cudaLaunchKernel_ptsz_v7000" gives
// "cudaLaunchKernel".
[[nodiscard]] std::string without_version(std::string api_name);

// The name as its author wrote it for a name as the linker knows it; any other text is returned unchanged.
[[nodiscard]] std::string demangled(const char* name);

}  // namespace ridge::backends::measure_cupti
