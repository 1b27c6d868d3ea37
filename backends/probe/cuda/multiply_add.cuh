// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

namespace ridge::backends::probe_cuda {

// Enqueues `rounds` times 16 of eight independent fp32 multiply-adds on registers in every thread of a full
// GPU, and returns how many operations they are. What they come to is written once a thread.
double multiply_add(float* to, int rounds, int processors, cudaStream_t on);

}  // namespace ridge::backends::probe_cuda
