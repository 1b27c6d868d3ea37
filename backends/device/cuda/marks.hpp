// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <type_traits>
#include <vector>

#include <cuda_runtime_api.h>

#include <ridge/device/device.hpp>

#include "mark_ring.hpp"

namespace ridge::backends::device_cuda {

// Events made beforehand, recorded in turn. A timestamp's ticks are its number.
class marks {
 public:
  explicit marks(std::size_t count);
  [[nodiscard]] device::timestamp record(cudaStream_t queue);
  // Waits for both. Bug: a mark that was never taken, or that has left the ring.
  [[nodiscard]] double seconds_between(device::timestamp from, device::timestamp to) const;

 private:
  struct destroyed {
    void operator()(cudaEvent_t event) const { (void)cudaEventDestroy(event); }
  };
  using event = std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, destroyed>;
  [[nodiscard]] cudaEvent_t at(device::timestamp mark) const;

  mark_ring ring_;
  std::vector<event> events_{};
};

}  // namespace ridge::backends::device_cuda
