// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <ridge/gpu/memory.hpp>

namespace ridge::backends::probe_cuda {

// Host memory for a probe that the GPU reads and writes where it lies. `flags` are those of cudaHostAlloc.
template <class T>
class pinned_memory final {
 public:
  explicit pinned_memory(std::size_t bytes, unsigned flags = cudaHostAllocMapped) : memory_(bytes, flags) {}
  [[nodiscard]] T* get() const { return memory_.as<T>(); }

 private:
  gpu::pinned_memory memory_;
};

}  // namespace ridge::backends::probe_cuda
