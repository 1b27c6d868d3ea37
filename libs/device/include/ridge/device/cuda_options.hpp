// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace ridge::device {

// Options of the CUDA device's factory.
struct cuda_options {
  int ordinal = 0;                    // which GPU, as CUDA counts them
  double hold_time_out_s = 5;         // after this time a held queue goes on by itself
  std::size_t marks = 4096;           // how many marks are remembered, the newest ones
  std::size_t evicted_bytes = 0;      // bytes that evict() writes, and reads elsewhere; 0: twice the L2 cache
  bool evict_by_reads_alone = false;  // evict() writes nothing, to see what the written lines cost
};

}  // namespace ridge::device
