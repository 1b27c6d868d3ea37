// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ridge::backends::probe_cuda {

// How long a block worked, by its multiprocessor's own clock and by the GPU's common one. All 0: no such
// block.
struct block_span {
  std::int64_t cycles = 0;
  std::int64_t nanoseconds = 0;
};

// Of the first so many blocks.
inline constexpr unsigned span_capacity = 4096;

// One launch of a probe's kernel, on the default stream.
struct kernel_call {
  float* to = nullptr;          // a float a thread, in the device's memory: what its work came to
  block_span* spans = nullptr;  // span_capacity of them there; null: not wanted
  int processors = 1;           // multiprocessors to fill
  int rounds = 1;               // of work
  bool zeros = false;           // operands are all zeros instead of random
};

}  // namespace ridge::backends::probe_cuda
