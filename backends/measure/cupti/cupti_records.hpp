// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include <cupti.h>

#include <ridge/measure/gpu_trace.hpp>

namespace ridge::backends::measure_cupti {

// The name of a call by CUPTI's number for it; empty where it is not known.
using api_names = std::function<std::string(CUpti_CallbackDomain domain, CUpti_CallbackId call)>;

// Adds what a record tells to the trace; kinds that are of no use are passed over. Work whose times CUPTI
// could not collect counts as dropped.
void add_record(const CUpti_Activity& record, const api_names& names, measure::gpu_trace& trace);

// "cudaLaunchKernel_ptsz_v7000" as "cudaLaunchKernel".
[[nodiscard]] std::string without_version(std::string api_name);

// As the linker knows it, to how its author wrote it; what is no such name stays.
[[nodiscard]] std::string demangled(const char* name);

}  // namespace ridge::backends::measure_cupti
