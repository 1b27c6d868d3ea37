// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

namespace ridge::backends::measure_cupti {

// Enqueues `scale<2>` on this many blocks of 128 threads.
void launch_scale(float* values, unsigned blocks, cudaStream_t stream);

}  // namespace ridge::backends::measure_cupti
