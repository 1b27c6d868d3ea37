// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include <ridge/device/array.hpp>
#include <ridge/device/array_store.hpp>
#include <ridge/device/array_summaries.hpp>
#include <ridge/device/cache_control.hpp>
#include <ridge/device/compute_capability.hpp>
#include <ridge/device/timer.hpp>
#include <ridge/device/work_queue.hpp>

namespace ridge::device {

// A GPU that this process sees, and what it has done with it.
struct gpu_use {
  bool opened = false;         // this process has a context there, which costs some 500 MB of that GPU
  std::size_t free_bytes = 0;  // free memory; known only where the GPU was opened
  ridge::device::compute_capability compute_capability{};
  bool peer = false;  // it and this device read and write each other's memory; true for the device itself
};

// Where variants run: one interface per job. It is used by one thread at a time. Failures of the machine
// throw ridge::failure, which names the call and a remedy. `timer` comes first, so that a mark costs no
// adjustment of the object's address.
class device : public timer,
               public work_queue,
               public array_store,
               public array_summaries,
               public cache_control {
 public:
  // Name for messages and results: "host", "cuda:0 NVIDIA H100".
  [[nodiscard]] virtual std::string_view name() const = 0;
  // Whether host code may read and write the arrays directly, and marks are readings of the host's clock.
  [[nodiscard]] virtual bool on_host() const = 0;
  // The GPUs that this process sees, this device first; none on a host. The call opens none of them.
  [[nodiscard]] virtual std::vector<gpu_use> gpus() const = 0;
};

}  // namespace ridge::device
