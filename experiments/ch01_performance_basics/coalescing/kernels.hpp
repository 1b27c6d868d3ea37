// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include <cuda_runtime_api.h>

// Copies of `source` to `target`, which is as long, enqueued on `stream`; both in device memory.
namespace ridge::experiments::ch01_coalescing {

// Lanes of a warp read and write `stride` elements apart.
void launch_strided(std::span<const float> source, std::span<float> target, std::size_t stride,
                    cudaStream_t stream);
// Lanes of a warp read and write neighbouring elements.
void launch_contiguous(std::span<const float> source, std::span<float> target, cudaStream_t stream);
// 16 bytes a lane; element by element where source and target differ in their alignment to 16 bytes.
void launch_vectorized(std::span<const float> source, std::span<float> target, cudaStream_t stream);

}  // namespace ridge::experiments::ch01_coalescing
