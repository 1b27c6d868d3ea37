// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include <cuda_runtime.h>

namespace ridge::peers {

// When a kernel ran by %globaltimer: the start of its first block and the end of its last. The start is
// inverted, so that both begin at zero and only grow.
struct stamps {
  unsigned long long first_inverted, last;
  [[nodiscard]] double seconds() const { return static_cast<double>(last - ~first_inverted) * 1e-9; }
};

enum class limit : std::uint8_t { memory, compute };

// A kernel whose duration `amount` determines: quads copied, or multiply-adds of each thread.
struct sized_kernel {
  limit by{limit::memory};
  double wanted_s = 0;
  std::uint64_t amount = 0;
};

// Launches kernels on arrays of its own.
class kernel_launcher {
 public:
  kernel_launcher();
  void launch(const sized_kernel& kernel, stamps* stamp, cudaStream_t stream) const;
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

// Holds a stream until it is released, or for 0.2 s.
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
