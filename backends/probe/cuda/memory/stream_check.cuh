// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

#include "memory/stream_kernels.cuh"

namespace ridge::backends::probe_cuda {

// Enqueues filling `bytes` at `target` with random floats between -0.5 and 0.5, which depend on the seed.
void fill_random(void* target, std::size_t bytes, std::uint32_t seed, cudaStream_t stream);

// The sum of `words` words at `source` modulo 2^32. Waits for the device; `scratch` is a word of device
// memory.
[[nodiscard]] std::uint32_t sum_of_words(const void* source, std::size_t words, std::uint32_t* scratch);

// Runs `variant` and throws failure where its result is not what variants_of() specifies. `scratch` is a word
// of device memory; arrays.target then holds the variant's result.
void verify(const stream_variant& variant, traffic kind, const stream_arrays& arrays, int processors,
            std::uint32_t* scratch);

}  // namespace ridge::backends::probe_cuda
