// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <ridge/device/device.hpp>

namespace ridge::harness {

// Sees whether what runs from its construction on uses more GPUs than it declares. A context that was opened
// before stays open, so of a GPU that another variant used, only memory taken and kept is seen.
class gpu_watch {
 public:
  // `where` outlives it; the first `declared` of its GPUs may be used.
  gpu_watch(const device::device& where, int declared)
      : where_(where), declared_(declared), before_(where.gpus()) {}

  // "uses GPU 1 (opened it) and declares 1: set .needs.gpus"; empty when it uses none. Asked while what was
  // taken is held.
  [[nodiscard]] std::string undeclared_use() const;

 private:
  const device::device& where_;
  int declared_;
  std::vector<device::gpu_use> before_;
};

}  // namespace ridge::harness
