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

// Looks at a GPU around the verification of one variant. On a host it sees nothing.
class verification_watch {
 public:
  // `device` outlives it.
  explicit verification_watch(device::device& device);
  // "leaves work running for 20 ms after its call"; empty where the device is idle soon. Waits for it.
  [[nodiscard]] std::string left_running();
  // Throws failure with this text where the device answers no more.
  void expect_answer(const std::string& refused);
  // Memory that is gone since the construction, for statics, pools and what calls keep; 0 where it is no more
  // than code and the driver's pieces take.
  [[nodiscard]] double kept_bytes() const;

 private:
  device::device& device_;
  std::size_t free_before_;
};

// Of memory that a variant took beside what it declared, what is no accident of pieces, code and stacks.
[[nodiscard]] double beyond_accident(double bytes);

}  // namespace ridge::harness
