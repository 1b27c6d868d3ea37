// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

#include <cuda_runtime_api.h>

#include <ridge/base/result.hpp>
#include <ridge/device/device.hpp>

namespace ridge::backends::device_cuda {

// Implements device::record: what `work` enqueues on `queue`, as a graph that is launched there.
[[nodiscard]] result<std::unique_ptr<device::recorded>> record(const std::function<void()>& work,
                                                               cudaStream_t queue);

}  // namespace ridge::backends::device_cuda
