// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include <cuda_runtime_api.h>

namespace ridge::backends::probe_cuda {

// The numbers of multiply-adds per element for which there are kernels: 0, 1, 2, 4 ... 256.
[[nodiscard]] std::span<const int> synthetic_counts();

// The work of a launch: bytes read in all rounds, and floating-point operations.
struct synthetic_work {
  double bytes = 0, flop = 0;
};

// Enqueues `rounds` passes over `count` floats, in whole pieces of 16 KiB, that do exactly `fma_per_element`
// multiply-adds on every element: y <- factor y + addend for all but the last, then sum <- factor y + sum, in
// 16 chains per thread. Without multiply-adds the bits are combined by exclusive or. The loads bypass the L1.
// Each of synthetic_threads(processors) threads writes the total of its chains to `results`;
// `fma_per_element` is one of synthetic_counts().
synthetic_work synthetic(const float* source, float* results, std::size_t count, int rounds,
                         int fma_per_element, int processors, cudaStream_t stream);
// Enqueues the same multiply-adds on registers alone, 256 per chain and round; returns their number of
// operations.
double synthetic_peak(float* results, int rounds, int processors, cudaStream_t stream);
// Enqueues filling `count` floats with different numbers between 0.5 and 1.5.
void fill_synthetic(float* target, std::size_t count, cudaStream_t stream);
// Number of threads of a launch.
[[nodiscard]] std::size_t synthetic_threads(int processors);
inline constexpr float synthetic_factor = 1.0f - 0x1p-10f, synthetic_addend = 0x1p-11f;
inline constexpr std::size_t synthetic_piece = 4096;  // elements
inline constexpr unsigned synthetic_block = 256;      // threads

}  // namespace ridge::backends::probe_cuda
