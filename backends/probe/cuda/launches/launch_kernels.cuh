// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <cuda_runtime_api.h>

// Kernels that do little or nothing, to see what launching costs.
namespace ridge::backends::probe_cuda {

// One thread, no arguments.
void launch_empty(cudaStream_t on);
// With four kilobytes of arguments.
void launch_with_arguments(cudaStream_t on);
// May begin while the one before it ends. Compute capability 9.0.
void launch_dependent(cudaStream_t on);
// x = x + 1 over so many floats, in blocks of 256.
void launch_step(float* x, std::size_t count, cudaStream_t on);
// One block of 256 a multiprocessor, all of which wait for each other `rounds` times.
void launch_meetings(int processors, int rounds, cudaStream_t on);
// Computes on every multiprocessor for so long, at most a second.
void keep_busy(int processors, double seconds, cudaStream_t on);

}  // namespace ridge::backends::probe_cuda
