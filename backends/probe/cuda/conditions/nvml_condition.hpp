// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/gpu/nvml.hpp>
#include <ridge/probe/gpu_condition.hpp>

namespace ridge::backends::probe_cuda {

// Fills `condition` with everything that the driver reports of the GPU now; values that it refuses stay
// absent.
void read_condition(const gpu::nvml_functions& functions, gpu::nvml_handle device,
                    probe::gpu_condition& condition);

// Reads again what depends on the load, while the GPU is busy: clocks, the reasons that hold them down, the
// performance state and the PCIe link.
void read_under_load(const gpu::nvml_functions& functions, gpu::nvml_handle device,
                     probe::gpu_condition& condition);

// Whether confidential computing is on in this machine; nothing where the driver does not say.
[[nodiscard]] std::optional<bool> read_confidential(const gpu::nvml_functions& functions);

}  // namespace ridge::backends::probe_cuda
