// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace ridge::device {

// What the host device's factory is told. The harness gives its own clock, so that marks and samples agree.
struct host_options {
  std::function<std::uint64_t()> now{};  // monotonic count; absent: CLOCK_MONOTONIC in nanoseconds
  double seconds_per_tick = 1e-9;
  std::size_t evicting_bytes =
      0;  // read by evict; 0: twice the last-level cache, at most 1 GiB and 1/4 of memory
};

}  // namespace ridge::device
