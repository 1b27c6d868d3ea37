// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <cuda_runtime_api.h>

// The chain of operations on the GPU, enqueued on `stream`; every pointer is to device memory. Nothing is
// done for no elements.
namespace ridge::experiments::ch01_graph_launch {

struct chain_arrays {
  const float* source = nullptr;
  const float* addend = nullptr;
  const float* parameters = nullptr;  // chain_length of them
  float* target = nullptr;
  std::size_t elements = 0;
};

// A launch for each operation.
void launch_operations(const chain_arrays& arrays, cudaStream_t stream);
// The same by programmatic dependent launch, all but the first. Compute capability 9.0.
void launch_dependent_operations(const chain_arrays& arrays, cudaStream_t stream);
// All operations in one pass, in registers; the same bits.
void launch_whole_chain(const chain_arrays& arrays, cudaStream_t stream);

}  // namespace ridge::experiments::ch01_graph_launch
