// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <cuda_runtime_api.h>

#include <ridge/gpu/check.hpp>

namespace ridge::backends::probe_cuda {

// Device memory for a probe, released by the destructor.
class device_memory final {
 public:
  explicit device_memory(std::size_t bytes) {
    gpu::check(cudaMalloc(&at_, bytes), "cudaMalloc for the probe");
  }
  ~device_memory() { (void)cudaFree(at_); }
  device_memory(const device_memory&) = delete;
  device_memory& operator=(const device_memory&) = delete;
  [[nodiscard]] float* get() const { return static_cast<float*>(at_); }
  [[nodiscard]] void* at() const { return at_; }

 private:
  void* at_ = nullptr;
};

}  // namespace ridge::backends::probe_cuda
