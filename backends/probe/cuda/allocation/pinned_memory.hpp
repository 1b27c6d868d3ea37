// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

#include <cuda_runtime_api.h>

#include <ridge/gpu/check.hpp>

namespace ridge::backends::probe_cuda {

// Host memory that the GPU reads and writes as it lies, released by the destructor. `flags`: cudaHostAlloc's.
template <class T>
class pinned_memory final {
 public:
  explicit pinned_memory(std::size_t bytes, unsigned flags = cudaHostAllocMapped) {
    void* made = nullptr;
    gpu::check(cudaHostAlloc(&made, bytes, flags), "cudaHostAlloc for the probe");
    at_.reset(static_cast<T*>(made));
  }
  [[nodiscard]] T* get() const { return at_.get(); }

 private:
  struct freed {
    void operator()(T* at) const { (void)cudaFreeHost(at); }
  };
  std::unique_ptr<T, freed> at_{};
};

}  // namespace ridge::backends::probe_cuda
