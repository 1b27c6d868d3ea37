// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include <cuda_runtime_api.h>

#include <ridge/gpu/memory.hpp>

namespace ridge::backends::device_cuda {

// Fills the L2 cache with clean lines of its own: writes `bytes` of one buffer, then reads as many of another
// that is never written. Sets the limit of persisting lines to none, since such lines would survive.
class evictor {
 public:
  // `bytes` >= 16, whole multiples of 16: twice the L2 cache or more.
  // `reads_alone`: nothing is written, to find out what the written lines cost the work after them.
  explicit evictor(std::size_t bytes, bool reads_alone = false);
  // Enqueues the writes and reads.
  void evict(cudaStream_t queue);
  // Says when somebody allowed persisting lines, which survive eviction; empty otherwise.
  [[nodiscard]] std::string tampering() const;

 private:
  std::size_t vectors_;
  bool reads_alone_;
  gpu::device_memory written_, read_;
};

}  // namespace ridge::backends::device_cuda
