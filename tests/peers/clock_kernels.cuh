// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include <cuda_runtime.h>

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
  limit by{limit::memory};
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
  struct freed {
    void operator()(float4* memory) const { (void)cudaFree(memory); }
  };
  using device_quads = std::unique_ptr<float4, freed>;
  [[nodiscard]] static device_quads allocated();

  device_quads from_, to_;
  int multiprocessors_ = 0;
};

// Blocks a stream until it is released, for at most 0.2 s.
class stream_stop {
 public:
  stream_stop();
  void hold(cudaStream_t stream);
  void release() { *released_ = 1; }

 private:
  struct freed {
    void operator()(volatile int* word) const { (void)cudaFreeHost(const_cast<int*>(word)); }
  };
  std::unique_ptr<volatile int, freed> released_;
};

}  // namespace ridge::peers
