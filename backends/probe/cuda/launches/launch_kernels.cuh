// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <cuda_runtime_api.h>

// Launches of kernels that do little or nothing, for measuring what a launch costs. Each function enqueues
// one kernel on `stream` and throws as gpu::check does.
namespace ridge::backends::probe_cuda {

// One thread without arguments.
void launch_empty(cudaStream_t stream);
// One thread with four kilobytes of arguments.
void launch_with_arguments(cudaStream_t stream);
// One thread, by programmatic dependent launch: the kernel may begin while its predecessor ends. Compute
// capability 9.0.
void launch_dependent(cudaStream_t stream);
// Adds 1 to each of `count` floats, in blocks of 256 threads.
void launch_step(float* x, std::size_t count, cudaStream_t stream);
// One block of 256 threads per multiprocessor; all blocks wait for each other `rounds` times.
void launch_meetings(int processors, int rounds, cudaStream_t stream);
// Keeps every multiprocessor busy for `seconds`, at most one.
void keep_busy(int processors, double seconds, cudaStream_t stream);

}  // namespace ridge::backends::probe_cuda
