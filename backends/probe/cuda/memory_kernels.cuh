// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <cuda_runtime_api.h>

namespace ridge::backends::probe_cuda {

// All enqueue; arrays are aligned to 16 bytes.
void fill_unlike(float* to, std::size_t count, cudaStream_t on);
void copy(const float* from, float* to, std::size_t count, int processors, cudaStream_t on);

// Reads `from` once, or every block all of it `rounds` times, in whole pieces of 64 KiB, and returns the
// bytes that were. What a thread's sum comes to is written to `to`, once for each of
// read_threads(processors).
double read(const float* from, float* to, std::size_t count, int processors, cudaStream_t on);
double read_again(const float* from, float* to, std::size_t count, int rounds, int processors,
                  cudaStream_t on);
[[nodiscard]] std::size_t read_threads(int processors);

}  // namespace ridge::backends::probe_cuda
