// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <cuda_runtime_api.h>

#include <ridge/device/queue_set.hpp>

namespace ridge::backends::device_cuda {

// Implements device::make_queues for the device whose CUDA number is `own` and whose own queue is `first`.
// The other streams are non-blocking ones. `own` is this thread's current device and stays so.
[[nodiscard]] std::unique_ptr<device::queue_set> make_queues(int gpus, int queues_per_gpu, int own,
                                                             cudaStream_t first);

}  // namespace ridge::backends::device_cuda
