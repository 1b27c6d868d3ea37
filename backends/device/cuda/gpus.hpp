// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/device/device.hpp>

namespace ridge::backends::device_cuda {

// The GPUs that CUDA shows this process, `current` first, which is this thread's current device and stays so.
// Makes no context.
[[nodiscard]] std::vector<device::gpu_use> gpus_in_use(int current);

}  // namespace ridge::backends::device_cuda
