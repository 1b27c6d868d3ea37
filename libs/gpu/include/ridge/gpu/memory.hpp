// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

#include <cuda_runtime_api.h>

namespace ridge::gpu {

// Enqueues a copy of `bytes` on `stream` between any two places that the device reads and writes
// (cudaMemcpyAsync); none of no bytes. Throws as gpu::check does.
void enqueue_copy(void* target, const void* source, std::size_t bytes, cudaStream_t stream);

// Owned memory of the device that is current at construction. Its content is undefined. The destructor frees
// it and may wait for the device.
class device_memory {
 public:
  device_memory() = default;
  // Allocates `bytes` by cudaMalloc; zero bytes allocate nothing. Throws as gpu::check does.
  explicit device_memory(std::size_t bytes);
  // The size that was asked for.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  // Device address, aligned to at least 256 bytes; null where nothing is allocated.
  [[nodiscard]] void* data() const { return memory_.get(); }
  // The device address as a pointer to T.
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

// Owned page-locked host memory that the device reads and writes in place. Its content is undefined. The
// destructor frees it.
class pinned_memory {
 public:
  pinned_memory() = default;
  // Allocates `bytes` by cudaHostAlloc with its `flags`; zero bytes allocate nothing. Throws as gpu::check
  // does.
  explicit pinned_memory(std::size_t bytes, unsigned flags = cudaHostAllocMapped);
  // The size that was asked for.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  // Host address, aligned to a page; null where nothing is allocated.
  [[nodiscard]] void* data() const { return memory_.get(); }
  // The host address as a pointer to T.
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

// Owned managed memory: pages move to whichever of host and device touches them. Its content is undefined.
// The destructor frees it.
class managed_memory {
 public:
  managed_memory() = default;
  // Allocates `bytes` by cudaMallocManaged; zero bytes allocate nothing. Throws as gpu::check does.
  explicit managed_memory(std::size_t bytes);
  // The size that was asked for.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  // Address on host and device, aligned to a page; null where nothing is allocated.
  [[nodiscard]] void* data() const { return memory_.get(); }
  // The address as a pointer to T.
  template <class T>
  [[nodiscard]] T* as() const {
    return static_cast<T*>(data());
  }
  // Enqueues on `stream` that all pages move to the host, or to the current device (cudaMemPrefetchAsync).
  void move_to_host(cudaStream_t stream) const;
  void move_to_device(cudaStream_t stream) const;
  // Advises the driver to leave the pages on the host and to let the current device read them over the link
  // (cudaMemAdvise).
  void keep_on_host() const;

 private:
  struct free_memory {
    void operator()(void* memory) const;
  };
  std::unique_ptr<void, free_memory> memory_{};
  std::size_t bytes_ = 0;
};

}  // namespace ridge::gpu
