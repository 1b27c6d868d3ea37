// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include <cuda_runtime_api.h>

namespace ridge::backends::device_cuda {

// Whether kernels cannot reach this memory: it lies in the host's, and was not made by CUDA.
[[nodiscard]] bool pageable(const void* memory);

// Copies, wherever the two sides lie: enqueued, or after the queue where both lie in host memory. Bug: sides
// of different size.
void copy(std::span<std::byte> to, std::span<const std::byte> from, cudaStream_t queue);

}  // namespace ridge::backends::device_cuda
