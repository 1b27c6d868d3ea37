// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

#include <cuda_runtime_api.h>

namespace ridge::backends::device_cuda {

struct device_freed {
  void operator()(void* memory) const { (void)cudaFree(memory); }
};
using device_memory = std::unique_ptr<void, device_freed>;

// Device memory without guards, its content undefined. Throws failure when it is refused.
[[nodiscard]] device_memory allocate_device(std::size_t bytes);

// Device memory for intermediate results, kept from call to call.
class scratch {
 public:
  explicit scratch(std::size_t bytes) : memory_(allocate_device(bytes)), bytes_(bytes) {}
  // Memory for so many bytes, aligned to 256; previous content may be lost.
  [[nodiscard]] void* at_least(std::size_t bytes);

 private:
  device_memory memory_;
  std::size_t bytes_;
};

}  // namespace ridge::backends::device_cuda
