// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include <cuda_runtime_api.h>

#include <ridge/gpu/event.hpp>
#include <ridge/gpu/stream_hold.hpp>

namespace ridge::backends::probe_cuda {

// Measures the device's time for work that is completely enqueued before it begins, so that the time has no
// gaps caused by the host. The stream is held meanwhile, for at most half a second.
class held_timer final {
 public:
  // A timer for work on `stream`.
  explicit held_timer(cudaStream_t stream = nullptr) : stream_(stream) {}
  // Seconds between events before and after the work of `enqueue`, which puts at most some 900 kernels on the
  // stream and does not wait. Throws failure where the hold timed out three times.
  [[nodiscard]] double seconds(const std::function<void()>& enqueue);
  // Holds the stream, and releases it; release() returns false when the hold had timed out.
  void hold() { hold_.hold(stream_); }
  [[nodiscard]] bool release() { return hold_.release(); }

 private:
  cudaStream_t stream_;
  gpu::stream_hold hold_{0.5};
  gpu::event start_{gpu::timing::on}, end_{gpu::timing::on};
};

}  // namespace ridge::backends::probe_cuda
