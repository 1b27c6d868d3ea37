// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ridge::backends::probe_cuda {

// The duration of a block by its multiprocessor's cycle counter and by the GPU's common clock. Both are 0
// where the block did not run.
struct block_span {
  std::int64_t cycles = 0;
  std::int64_t nanoseconds = 0;
};

// Number of blocks whose spans are recorded, the first of a launch.
inline constexpr unsigned span_capacity = 4096;

// One launch of a probe's kernel, on the default stream.
struct kernel_call {
  float* results = nullptr;     // one float per thread, in device memory: the result of its work
  block_span* spans = nullptr;  // span_capacity spans in device memory; null where they are not wanted
  int processors = 1;           // multiprocessors to fill
  int rounds = 1;               // rounds of work
  bool zeros = false;           // operands are all zeros instead of random
};

}  // namespace ridge::backends::probe_cuda
