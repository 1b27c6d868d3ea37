// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <ridge/gpu/memory.hpp>

namespace ridge::backends::device_cuda {

// Device memory for intermediate results, kept from call to call.
class scratch {
 public:
  explicit scratch(std::size_t bytes) : memory_(bytes) {}
  // Memory for so many bytes, aligned to 256; previous content may be lost.
  [[nodiscard]] void* at_least(std::size_t bytes);

 private:
  gpu::device_memory memory_;
};

}  // namespace ridge::backends::device_cuda
