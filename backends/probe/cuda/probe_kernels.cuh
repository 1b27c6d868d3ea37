// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <cuda_runtime_api.h>

namespace ridge::backends::probe_cuda {

// Both enqueue; arrays are aligned to 16 bytes.
void fill_unlike(float* to, std::size_t count, cudaStream_t on);
void copy(const float* from, float* to, std::size_t count, int processors, cudaStream_t on);

// `rounds` of eight independent multiply-adds in every thread; what they come to is written once a thread.
void multiply_add(float* to, int rounds, int processors, cudaStream_t on);
[[nodiscard]] std::size_t multiply_add_threads(int processors);
inline constexpr int multiply_adds_a_round = 8;

}  // namespace ridge::backends::probe_cuda
