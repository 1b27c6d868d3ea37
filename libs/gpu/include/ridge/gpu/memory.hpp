// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

#include <cuda_runtime_api.h>

namespace ridge::gpu {

// Memory of the device that is current when it is made, its content undefined; freed by the destructor, which
// may wait for the device. Throws as gpu::check does when the device refuses it. Zero bytes hold no memory.
class device_memory {
 public:
  device_memory() = default;
  explicit device_memory(std::size_t bytes);
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  // Aligned to 256 bytes at least; null where there is none.
  [[nodiscard]] void* data() const { return memory_.get(); }
  template <class T>
  [[nodiscard]] T* as() const {
    return static_cast<T*>(data());
  }

 private:
  struct free_memory {
    void operator()(void* memory) const;
  };
  std::unique_ptr<void, free_memory> memory_{};
  std::size_t bytes_ = 0;
};

// Page-locked host memory that the device reads and writes where it lies; freed by the destructor. `flags`
// are those of cudaHostAlloc. Throws as gpu::check does when it is refused. Its content is undefined.
class pinned_memory {
 public:
  pinned_memory() = default;
  explicit pinned_memory(std::size_t bytes, unsigned flags = cudaHostAllocMapped);
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  [[nodiscard]] void* data() const { return memory_.get(); }
  template <class T>
  [[nodiscard]] T* as() const {
    return static_cast<T*>(data());
  }

 private:
  struct free_memory {
    void operator()(void* memory) const;
  };
  std::unique_ptr<void, free_memory> memory_{};
  std::size_t bytes_ = 0;
};

}  // namespace ridge::gpu
