// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <cuda_runtime_api.h>

#include <ridge/base/dtype.hpp>
#include <ridge/device/device.hpp>

#include "scratch.hpp"

namespace ridge::backends::device_cuda {

// device::block_sums of memory the device may read, in an order of additions of its own (slices.hpp). Waits
// for the queue.
[[nodiscard]] std::vector<device::block_sum> block_sums(std::span<const std::byte> source, dtype type,
                                                        std::size_t blocks, scratch& room,
                                                        cudaStream_t queue);

}  // namespace ridge::backends::device_cuda
