// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <cuda_runtime_api.h>

#include "scratch.hpp"

namespace ridge::backends::device_cuda {

// Leaves the L2 cache full of clean lines of its own: writes `bytes` of one buffer, then reads as many of
// another that is never written. No line may persist, so the limit of persisting lines is set to none.
class evictor {
 public:
  // `bytes` >= 16, whole multiples of 16: twice the L2 cache or more.
  // `reads_alone`: nothing is written, to see what the written lines cost those after them.
  explicit evictor(std::size_t bytes, bool reads_alone = false);
  void evict(cudaStream_t queue);

 private:
  std::size_t vectors_;
  bool reads_alone_;
  device_memory written_, read_;
};

}  // namespace ridge::backends::device_cuda
