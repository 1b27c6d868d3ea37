// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include <ridge/gpu/memory.hpp>

namespace ridge::gpu {

// Blocks a stream until the host releases it, so that work enqueued in between runs without gaps caused by
// the host. A kernel of one thread polls a word of pinned memory. Holds are numbered, so that a late kernel
// of an earlier hold is never taken for the present one. Not thread-safe.
class stream_hold {
 public:
  // A hold that is not released ends by itself after `time_out_s` seconds, which is above 0 and below 1e6.
  explicit stream_hold(double time_out_s);
  // Releases the stream and waits for the device.
  ~stream_hold();
  stream_hold(const stream_hold&) = delete;
  stream_hold& operator=(const stream_hold&) = delete;

  // Enqueues the hold on `stream`, after releasing an earlier one that is still held. Enqueue at most some
  // 900 kernels before the release: a stream accepts about a thousand before the host must wait.
  void hold(cudaStream_t stream);
  // Lets the stream go on. Returns false when the hold had already timed out, true otherwise; without a hold
  // it does nothing and returns true.
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
