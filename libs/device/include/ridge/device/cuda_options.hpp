// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace ridge::device {

// What the CUDA device's factory is told.
struct cuda_options {
  int ordinal = 0;                    // which GPU, as CUDA counts them
  double hold_time_out_s = 5;         // after which a held queue lets go by itself
  std::size_t marks = 4096;           // the last so many marks are remembered
  std::size_t evicted_bytes = 0;      // written, and read elsewhere, by evict; 0: twice the L2 cache
  bool evict_by_reads_alone = false;  // nothing written: to see what the written lines cost
};

}  // namespace ridge::device
