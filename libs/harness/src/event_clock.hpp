// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/device/device.hpp>

namespace ridge::harness {

// What marks on a device's queue can tell apart.
struct event_clock {
  double empty_pair_s = 0;  // between two marks with nothing between them: the median of a hundred
  double tick_s = 0;        // the smallest difference seen between two such times; 0 where all were equal
};

// Nothing else may be enqueued. Both are 0 on the host, whose marks cost what `instruments` says.
[[nodiscard]] event_clock read_event_clock(device::device& where);

}  // namespace ridge::harness
