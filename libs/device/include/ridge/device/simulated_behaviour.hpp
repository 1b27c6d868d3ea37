// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include <ridge/device/compute_capability.hpp>

namespace ridge::device {

// How a simulated device behaves; the defaults are an ideal one.
struct simulated_behaviour {
  double tick_seconds = 1e-9;             // marks count whole ticks, rounded down
  double drift = 0;                       // its clock runs 1 + drift times too fast
  double jitter = 0;                      // work takes up to this share longer, by a seeded draw per advance
  std::uint64_t seed = 1;                 // seed of the jitter
  std::function<double(double)> speed{};  // speed of work that begins at this second; 1 when absent
  std::size_t memory_bytes = std::size_t{1} << 30;
  std::size_t last_level_cache_bytes = std::size_t{1} << 20;
  bool apart = false;       // a device of its own, as a GPU is: with holds, clock readings and recordings
  double mark_seconds = 0;  // what a mark takes after its reading
  double empty_kernel_seconds = 0;
  double hz = 1e9;                                             // clock frequency at full speed
  std::size_t gpus = 1;                                        // number of GPUs, this one the first
  ridge::device::compute_capability compute_capability{9, 0};  // compute capability of each GPU
  bool peers = true;                                           // whether they reach each other's memory
};

}  // namespace ridge::device
