// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/device/device.hpp>

namespace ridge::harness {

// What marks on a device's queue can tell apart, and what they cost.
struct event_clock {
  double empty_pair_s = 0;  // between two marks with nothing between them: the median of a hundred
  double tick_s = 0;        // the smallest difference seen between two such times; 0 where all were equal
  // What two marks read beyond the time of the kernels between them: the pair around an empty kernel less
  // what one more empty kernel takes in a graph. Larger than the empty pair, which holds one of its two gaps.
  double launch_s = 0;
};

// Nothing else may be enqueued. All are 0 on the host, whose marks cost what `instruments` says.
[[nodiscard]] event_clock read_event_clock(device::device& where);

}  // namespace ridge::harness
