// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/gpu/ptx/special_registers.cuh>

#include "timing/block_span.hpp"

namespace ridge::backends::probe_cuda {

// The multiprocessor's cycle counter, and the GPU's common clock in nanoseconds.
__device__ inline std::int64_t cycle_now() { return static_cast<std::int64_t>(gpu::ptx::clock64()); }

__device__ inline std::int64_t nanosecond_now() { return static_cast<std::int64_t>(gpu::ptx::globaltimer()); }

// Measures a block from construction to end(), which is called after the last store of results; one thread of
// the block writes the span.
class span_clock {
 public:
  __device__ span_clock() : cycle_(cycle_now()), nanosecond_(nanosecond_now()) {}
  __device__ void end(block_span* spans) const {
    if (spans == nullptr || threadIdx.x != 0 || blockIdx.x >= span_capacity) return;
    spans[blockIdx.x].cycles = cycle_now() - cycle_;
    spans[blockIdx.x].nanoseconds = nanosecond_now() - nanosecond_;
  }

 private:
  std::int64_t cycle_, nanosecond_;
};

}  // namespace ridge::backends::probe_cuda
