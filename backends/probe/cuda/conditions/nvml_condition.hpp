// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/gpu/nvml.hpp>
#include <ridge/probe/gpu_condition.hpp>

namespace ridge::backends::probe_cuda {

// Fills in all that the driver tells of a GPU as it stands; what it refuses is left absent.
void read_condition(const gpu::nvml_functions& functions, gpu::nvml_handle device,
                    probe::gpu_condition& condition);

// Reads anew what an idle GPU lets sink, while one keeps it busy: clocks, what holds them, state, link.
void read_under_load(const gpu::nvml_functions& functions, gpu::nvml_handle device,
                     probe::gpu_condition& condition);

// Whether confidential computing is on; of the machine.
[[nodiscard]] std::optional<bool> read_confidential(const gpu::nvml_functions& functions);

}  // namespace ridge::backends::probe_cuda
