// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <cuda_runtime_api.h>

namespace ridge::gpu {

// Throws when `code` says that a call of the CUDA runtime failed: `unavailable` where the machine has no
// usable GPU or driver, else `failure`. The message names the call ("cudaMalloc of 3.0 GiB"), the device,
// CUDA's own description of the error and the remedy.
void check(cudaError_t code, std::string_view call);

// Checks the last launch and throws as check() does, with the kernel's name in the message. A configuration
// that the device refuses is reported here; a fault inside the kernel is reported by a later call.
void check_launch(std::string_view kernel);

}  // namespace ridge::gpu
