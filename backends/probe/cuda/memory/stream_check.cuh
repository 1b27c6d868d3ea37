// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

#include "memory/stream_kernels.cuh"

namespace ridge::backends::probe_cuda {

// Floats of random digits between -0.5 and 0.5, others for another seed.
void fill_random(void* to, std::size_t bytes, std::uint32_t seed, cudaStream_t on);

// The sum of all words modulo 2^32. Waits for the device; `scratch` is a word on the device.
[[nodiscard]] std::uint32_t sum_of_words(const void* from, std::size_t words, std::uint32_t* scratch);

// Runs `variant` and throws failure where what it leaves is not what it is for (see variants_of). `scratch`
// as above; leaves `to` as the variant does.
void verify(const stream_variant& variant, traffic what, const stream_arrays& in, int processors,
            std::uint32_t* scratch);

}  // namespace ridge::backends::probe_cuda
