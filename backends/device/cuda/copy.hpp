// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include <cuda_runtime_api.h>

namespace ridge::backends::device_cuda {

// Whether this is host memory that CUDA did not allocate, so that kernels cannot reach it.
[[nodiscard]] bool pageable(const void* memory);

// Copies between any two places. The copy is enqueued; where both sides lie in host memory, the call waits
// for the queue and copies at once. Bug: sides of different size.
void copy(std::span<std::byte> target, std::span<const std::byte> source, cudaStream_t queue);

}  // namespace ridge::backends::device_cuda
