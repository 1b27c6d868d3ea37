// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "allocation/device_memory.hpp"

namespace ridge::backends::probe_cuda {

// Makes a device current, and the one before when it ends.
class on_device final {
 public:
  explicit on_device(int device);
  ~on_device();
  on_device(const on_device&) = delete;
  on_device& operator=(const on_device&) = delete;

 private:
  int before_ = 0;
};

// Ordered pairs of GPUs of which the first can use the second's memory as it lies. Throws unavailable where
// there are none.
[[nodiscard]] std::vector<std::pair<int, int>> pairs_with_access();

// A buffer on each of two GPUs, the first of which has access to the second.
class peer_pair final {
 public:
  peer_pair(int source, int target, std::size_t bytes);
  [[nodiscard]] char* here() const { return static_cast<char*>(here_->at()); }
  [[nodiscard]] char* there() const { return static_cast<char*>(there_->at()); }
  int first, second;

 private:
  std::unique_ptr<device_memory> here_{}, there_{};
};

}  // namespace ridge::backends::probe_cuda
