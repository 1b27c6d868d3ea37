// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_runtime.h>

#include <ridge/gpu/memory.hpp>

namespace ridge::peers {

// When a kernel ran, by %globaltimer: the start of its first block, inverted so that both values begin at
// zero and only grow, and the end of its last block.
struct stamps {
  unsigned long long first_inverted, last;
  [[nodiscard]] double seconds() const { return static_cast<double>(last - ~first_inverted) * 1e-9; }
};

// What bounds a kernel's duration.
enum class limit : std::uint8_t { memory, compute };

// A kernel whose duration follows from `amount`: the number of quads copied, or of multiply-adds per thread.
struct sized_kernel {
  limit limiter{limit::memory};
  double wanted_s = 0;
  std::uint64_t amount = 0;
};

// Launches kernels on its own arrays.
class kernel_launcher {
 public:
  kernel_launcher();
  // Enqueues the kernel, which writes its start and end to `span`.
  void launch(const sized_kernel& kernel, stamps* span, cudaStream_t stream) const;
  void launch_empty(cudaStream_t stream) const;

 private:
  gpu::device_memory source_, target_;
  int multiprocessors_ = 0;
};

// Blocks a stream until it is released, for at most 0.2 s.
class stream_stop {
 public:
  stream_stop() { release(); }
  void hold(cudaStream_t stream);
  void release() { *released() = 1; }

 private:
  [[nodiscard]] volatile int* released() const { return flag_.as<volatile int>(); }
  gpu::pinned_memory flag_{sizeof(int)};
};

}  // namespace ridge::peers
