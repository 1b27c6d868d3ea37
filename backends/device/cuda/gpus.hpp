// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/device/device.hpp>

namespace ridge::backends::device_cuda {

// The GPUs that CUDA shows this process, `current` first, which is this thread's current device and stays so.
// Makes no context.
[[nodiscard]] std::vector<device::gpu_use> gpus_in_use(int current);

// CUDA's number of GPU `gpu` in the order of gpus_in_use(own). Throws unavailable where there are fewer.
[[nodiscard]] int ordinal_of(int gpu, int own);

// Lets GPU `gpu` and `own`, the current device, read and write each other's memory where the machine supports
// it; makes a context on both. Further calls do nothing.
void open_peer(int gpu, int own);

}  // namespace ridge::backends::device_cuda
