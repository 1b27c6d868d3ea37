// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include <cuda_runtime_api.h>

#include <ridge/probe/kernel_timer.hpp>

namespace ridge::backends::probe_cuda {

// The time of one call within a CUDA graph of calls that follow one another. `enqueue` puts the call with
// operands `set` (0 to sets - 1) on the stream; the graph takes the sets in turn. The first replay is not
// counted. Throws as gpu::check does.
[[nodiscard]] probe::kernel_timing replayed(cudaStream_t stream, int sets,
                                            const std::function<void(cudaStream_t stream, int set)>& enqueue);

// The same of calls among several GPUs: `recorded` makes the graphs of so many calls and returns what
// launches them, on `stream`'s GPU too, whose clock is read.
[[nodiscard]] probe::kernel_timing replayed_graphs(
    cudaStream_t stream, const std::function<std::function<void()>(int calls)>& recorded);

// The same without a graph, for libraries that cannot be recorded: their launches count where they are slower
// than the GPU.
[[nodiscard]] probe::kernel_timing streamed(cudaStream_t stream, int sets,
                                            const std::function<void(cudaStream_t stream, int set)>& enqueue);

// The median and the spread of times, each divided by `calls`.
[[nodiscard]] probe::kernel_timing timing_of(std::vector<double> seconds, int calls);

}  // namespace ridge::backends::probe_cuda
