// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include <cuda_runtime_api.h>

// Passes over device memory that apply operations of the chain to every element of `source`, each rounded as
// on the host, enqueued on `stream`. `source` holds as many elements as `target` and may be `target`; nothing
// is done for none.
namespace ridge::experiments::ch01_arithmetic_intensity {

// Operation `index` of the chain; an element a thread.
void launch_by_one(std::size_t index, const float* source, std::span<float> target, cudaStream_t stream);
// The same with four elements a thread.
void launch_unrolled(std::size_t index, const float* source, std::span<float> target, cudaStream_t stream);
// 16 bytes a load, four loads a thread: operation `index`; operations `index`, 0 or 2, and `index` + 1; the
// whole chain.
void launch_by_vectors(std::size_t index, const float* source, std::span<float> target, cudaStream_t stream);
void launch_two_by_vectors(std::size_t index, const float* source, std::span<float> target,
                           cudaStream_t stream);
void launch_all_by_vectors(const float* source, std::span<float> target, cudaStream_t stream);
// The whole chain by cub::DeviceTransform.
void launch_cub_transform(const float* source, std::span<float> target, cudaStream_t stream);

}  // namespace ridge::experiments::ch01_arithmetic_intensity
