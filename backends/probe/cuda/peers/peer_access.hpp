// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include <ridge/gpu/memory.hpp>

namespace ridge::backends::probe_cuda {

// Makes `device` current and restores the previous device in its destructor.
class on_device final {
 public:
  explicit on_device(int device);
  ~on_device();
  on_device(const on_device&) = delete;
  on_device& operator=(const on_device&) = delete;

 private:
  int before_ = 0;
};

// Ordered pairs of GPUs of which the first can access the second's memory directly. Throws unavailable where
// there are none.
[[nodiscard]] std::vector<std::pair<int, int>> pairs_with_access();

// A buffer on each of two GPUs; the first GPU has access to the second's memory.
class peer_pair final {
 public:
  // Allocates `bytes` on each GPU and enables the access. Throws as gpu::check does.
  peer_pair(int source, int target, std::size_t bytes);
  // The buffers of the first and of the second GPU.
  [[nodiscard]] char* here() const { return here_.as<char>(); }
  [[nodiscard]] char* there() const { return there_.as<char>(); }
  int first, second;

 private:
  gpu::device_memory here_{}, there_{};
};

}  // namespace ridge::backends::probe_cuda
