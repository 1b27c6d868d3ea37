// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include <cuda_runtime_api.h>

namespace ridge::backends::probe_cuda {

// The numbers of multiply-adds an element that there are kernels for: 0, 1, 2, 4 ... 256.
[[nodiscard]] std::span<const int> synthetic_counts();

// What a launch does: elements read in all rounds, and multiply-adds.
struct synthetic_work {
  double bytes = 0, flop = 0;
};

// Enqueues `rounds` passes over `count` floats (whole pieces of 16 KiB), each doing exactly `fma_per_element`
// multiply-adds on every element that it reads, past the L1: y <- factor y + addend all but once, then
// sum <- factor y + sum, in 16 chains a thread. With none, bits are combined by exclusive or. Each of
// synthetic_threads(processors) threads writes what its chains come to, added up, to `to`; `fma_per_element`
// is one of synthetic_counts().
synthetic_work synthetic(const float* from, float* to, std::size_t count, int rounds, int fma_per_element,
                         int processors, cudaStream_t on);
// The same multiply-adds on registers alone, 256 a chain and round; returns how many operations they are.
double synthetic_peak(float* to, int rounds, int processors, cudaStream_t on);
// Fills whole pieces with unlike numbers between 0.5 and 1.5.
void fill_synthetic(float* to, std::size_t count, cudaStream_t on);
[[nodiscard]] std::size_t synthetic_threads(int processors);
inline constexpr float synthetic_factor = 1.0f - 0x1p-10f, synthetic_addend = 0x1p-11f;
inline constexpr std::size_t synthetic_piece = 4096;  // elements
inline constexpr unsigned synthetic_block = 256;      // threads

}  // namespace ridge::backends::probe_cuda
