// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include <cuda_runtime_api.h>

#include <ridge/gpu/event.hpp>

namespace ridge::backends::probe_cuda {

// Two words of host memory that a kernel on the device reads and writes as they lie.
struct hold_words {
  volatile std::uint64_t released;   // holds up to this number may go on; written by the host
  volatile std::uint64_t timed_out;  // the last hold that let go by itself; written by the device
};

// Seconds the device takes for what is enqueued, all of it enqueued before it begins: no gap of the host's
// is in the time. A kernel holds the stream meanwhile, for half a second at most.
class held_timer final {
 public:
  explicit held_timer(cudaStream_t on = nullptr);
  ~held_timer();
  held_timer(const held_timer&) = delete;
  held_timer& operator=(const held_timer&) = delete;
  // `enqueue` puts at most some 900 kernels on the stream and waits for nothing: a stream takes about a
  // thousand before the host has to wait. Throws failure where the hold let go by itself three times.
  [[nodiscard]] double seconds(const std::function<void()>& enqueue);
  // Keeps the stream from going on, and lets it: false when it had let go by itself.
  void hold();
  [[nodiscard]] bool release();

 private:
  struct freed {
    void operator()(hold_words* words) const { (void)cudaFreeHost(words); }
  };
  cudaStream_t on_;
  std::unique_ptr<hold_words, freed> words_;
  std::uint64_t last_ = 0;
  gpu::event start_{gpu::timing::on}, end_{gpu::timing::on};
};

}  // namespace ridge::backends::probe_cuda
