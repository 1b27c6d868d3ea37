// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <ridge/gpu/memory.hpp>

namespace ridge::backends::probe_cuda {

// Device memory for a probe, as floats or as bytes.
class device_memory final {
 public:
  explicit device_memory(std::size_t bytes) : memory_(bytes) {}
  [[nodiscard]] float* get() const { return memory_.as<float>(); }
  [[nodiscard]] void* at() const { return memory_.data(); }

 private:
  gpu::device_memory memory_;
};

}  // namespace ridge::backends::probe_cuda
