// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

namespace ridge::device {

// Where a host device reads time: a monotonic count and its unit. The harness gives its own clock, so that
// marks and samples agree; without one CLOCK_MONOTONIC is read.
struct tick_source {
  std::function<std::uint64_t()> now{};
  double seconds_per_tick = 1e-9;
};

}  // namespace ridge::device
