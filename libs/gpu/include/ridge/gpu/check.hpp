// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <cuda_runtime_api.h>

namespace ridge::gpu {

// Throws when a call of the CUDA runtime failed: `unavailable` where the machine has no usable GPU or driver,
// else `failure`. The message names the call ("cudaMalloc of 3.0 GiB"), the device, what CUDA says and what
// to do.
void check(cudaError_t code, std::string_view call);

// The last launch: a configuration the device refuses is reported here, a fault in the kernel by a later
// call.
void check_launch(std::string_view kernel);

}  // namespace ridge::gpu
