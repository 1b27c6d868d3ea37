// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <cuda_runtime_api.h>

#include <ridge/device/device.hpp>
#include <ridge/gpu/event.hpp>

#include "mark_ring.hpp"

namespace ridge::backends::device_cuda {

// A ring of events, recorded in turn. The ticks of a timestamp are the number of its mark.
class marks {
 public:
  explicit marks(std::size_t count);
  // Enqueues a mark.
  [[nodiscard]] device::timestamp record(cudaStream_t queue);
  // Seconds between two marks; waits for both. Bug: a mark that was never taken, or that has left the ring.
  [[nodiscard]] double seconds_between(device::timestamp start, device::timestamp end) const;

 private:
  [[nodiscard]] const gpu::event& at(device::timestamp mark) const;

  mark_ring ring_;
  std::vector<gpu::event> events_{};
};

}  // namespace ridge::backends::device_cuda
