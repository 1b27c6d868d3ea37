// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include <cuda_runtime_api.h>

#include <ridge/gpu/event.hpp>
#include <ridge/gpu/stream_hold.hpp>

namespace ridge::backends::probe_cuda {

// Seconds the device takes for what is enqueued, all of it enqueued before it begins: no gap of the host's is
// in the time. The stream is held meanwhile, for half a second at most.
class held_timer final {
 public:
  explicit held_timer(cudaStream_t stream = nullptr) : stream_(stream) {}
  // `enqueue` puts at most some 900 kernels on the stream and waits for nothing. Throws failure where the
  // hold let go by itself three times.
  [[nodiscard]] double seconds(const std::function<void()>& enqueue);
  // Keeps the stream from going on, and lets it: false when it had let go by itself.
  void hold() { hold_.hold(stream_); }
  [[nodiscard]] bool release() { return hold_.release(); }

 private:
  cudaStream_t stream_;
  gpu::stream_hold hold_{0.5};
  gpu::event start_{gpu::timing::on}, end_{gpu::timing::on};
};

}  // namespace ridge::backends::probe_cuda
