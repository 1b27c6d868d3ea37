// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <ridge/model/kernel_call.hpp>
#include <ridge/probe/kernel_timer.hpp>

#include "serving/operand_pool.hpp"

// Each function times one class of kernels of a serving step. They throw unavailable where the GPU or a
// library cannot run the call, failure where a kernel is wrong or a call fails.
namespace ridge::backends::probe_cuda {

// What they share: the stream of all work and memory for operands and for the libraries' workspace.
struct timing_bench {
  cudaStream_t stream;
  operand_pool& pool;
  void* workspace;  // vendor::workspace_bytes
};

// A dense product by the first algorithm that cuBLASLt proposes, which is what engines run. The weights are
// stored by output ("n x k"); fp8 is e4m3 with a scale for each tensor.
[[nodiscard]] probe::kernel_timing timed_product(const timing_bench& bench, const model::kernel_call& call);
// Attention of one new token of each sequence by Ridge's kernel (decode_kernel.cu).
[[nodiscard]] probe::kernel_timing timed_decode(const timing_bench& bench, const model::kernel_call& call);
// Both products of the experts of a layer as cuBLAS's grouped products, the rows routed as planning assumes,
// with the traffic of gathering, activation and adding up.
[[nodiscard]] probe::kernel_timing timed_experts(const timing_bench& bench, const model::kernel_call& call);
// y = a x on elements of two bytes.
[[nodiscard]] probe::kernel_timing timed_elementwise(const timing_bench& bench,
                                                     const model::kernel_call& call);
// Enqueues reading `bytes` at x and writing as many at y; a multiple of 16 counts.
void launch_elementwise(const void* x, void* y, std::size_t bytes, cudaStream_t stream);
// An empty kernel in a graph, or launched one by one.
[[nodiscard]] probe::kernel_timing timed_launch(const timing_bench& bench, const model::kernel_call& call);

}  // namespace ridge::backends::probe_cuda
