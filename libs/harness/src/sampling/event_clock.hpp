// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/device/device.hpp>

namespace ridge::harness {

// The resolution and the overhead of marks on a device's queue.
struct event_clock {
  double empty_pair_s = 0;  // seconds between two marks with nothing between them: the median of a hundred
  double tick_s = 0;        // the smallest difference seen between two such times; 0 where all were equal
  // Overhead of a pair of marks around kernels: the time between marks around one empty kernel, minus the
  // time that one more empty kernel takes in a graph. It exceeds the empty pair, which contains one of two
  // gaps.
  double launch_s = 0;
};

// Measures them on a device that work is enqueued on, while nothing else is enqueued.
[[nodiscard]] event_clock read_event_clock(device::device& device);

}  // namespace ridge::harness
