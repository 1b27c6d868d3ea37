// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "timing/block_span.hpp"

namespace ridge::backends::probe_cuda {

__device__ inline std::int64_t cycle_now() {
  std::int64_t now;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(now)::"memory");
  return now;
}

__device__ inline std::int64_t nanosecond_now() {
  std::int64_t now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)::"memory");
  return now;
}

// Begins when made. end() after the last store of results: one thread of the block writes its span.
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
