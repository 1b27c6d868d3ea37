// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <ridge/device/device.hpp>

namespace ridge::harness {

// Finds out whether code that runs after its construction uses more GPUs than it declares. A context that was
// opened before stays open: for a GPU that another variant used, only memory that was taken and kept shows.
class gpu_watch {
 public:
  // `device` outlives it; the first `declared` of its GPUs may be used.
  gpu_watch(const device::device& device, int declared)
      : device_(device), declared_(declared), before_(device.gpus()) {}

  // "uses GPU 1 (opened it) and declares 1: set .needs.gpus"; empty when it uses no more. Memory shows only
  // while it is held.
  [[nodiscard]] std::string undeclared_use() const;

 private:
  const device::device& device_;
  int declared_;
  std::vector<device::gpu_use> before_;
};

}  // namespace ridge::harness
