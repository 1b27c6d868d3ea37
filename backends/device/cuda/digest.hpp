// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <cuda_runtime_api.h>

namespace ridge::backends::device_cuda {

// Enqueues the sum over the chunks of device::digest (digest_step.hpp) of memory the device may read; it is
// in *sum, a word of device memory, when the queue has come that far. The words of a source that is not
// aligned to 8 bytes are put together from bytes.
void sum_of_chunks(std::span<const std::byte> source, std::uint64_t* sum, cudaStream_t queue);

}  // namespace ridge::backends::device_cuda
