// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include <ridge/gpu/memory.hpp>

namespace ridge::gpu {

// Keeps a stream from going on until it is released, so that what is enqueued meanwhile begins together and
// no gap of the host's is in its time. A kernel of one thread polls a word of pinned memory. Holds are
// numbered: a late kernel of an earlier hold is never taken for the present one. Not thread-safe.
class stream_hold {
 public:
  // A hold that is not released lets go by itself after `time_out_s` seconds: above 0 and below 1e6.
  explicit stream_hold(double time_out_s);
  // Releases everything and waits for the device.
  ~stream_hold();
  stream_hold(const stream_hold&) = delete;
  stream_hold& operator=(const stream_hold&) = delete;

  // Enqueues the hold on `stream`; releases the hold before, if nobody did. Enqueue at most some 900 kernels
  // before the release: a stream takes about a thousand before the host must wait.
  void hold(cudaStream_t stream);
  // False when the hold had let go by itself. Does nothing, and returns true, where nothing is held.
  [[nodiscard]] bool release();

 private:
  struct shared_words;
  [[nodiscard]] shared_words& words() const;

  pinned_memory memory_;
  int device_ = 0;
  std::uint64_t time_out_ns_ = 0;
  std::uint64_t last_ = 0;
  bool holding_ = false;
};

}  // namespace ridge::gpu
