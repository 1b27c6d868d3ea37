// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include <cupti.h>

#include <ridge/measure/gpu_trace.hpp>

namespace ridge::backends::measure_cupti {

// Returns the name of a call by its number in CUPTI; empty where it is not known.
using api_names = std::function<std::string(CUpti_CallbackDomain domain, CUpti_CallbackId call)>;

// Adds the content of a record to the trace; records of kinds that are not needed are ignored. Work whose
// times CUPTI could not collect counts as dropped.
void add_record(const CUpti_Activity& record, const api_names& names, measure::gpu_trace& trace);

// Returns "cudaLaunchKernel" for "cudaLaunchKernel_ptsz_v7000".
[[nodiscard]] std::string without_version(std::string api_name);

// Returns the name as its author wrote it for a name as the linker knows it; any other text is unchanged.
[[nodiscard]] std::string demangled(const char* name);

}  // namespace ridge::backends::measure_cupti
