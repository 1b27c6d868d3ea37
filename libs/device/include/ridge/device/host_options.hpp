// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace ridge::device {

// Options of the host device's factory. The harness passes its own clock, so that marks and samples agree.
struct host_options {
  std::function<std::uint64_t()> now{};  // monotonic count; absent: CLOCK_MONOTONIC in nanoseconds
  double seconds_per_tick = 1e-9;
  std::size_t evicting_bytes =
      0;  // bytes that evict() reads; 0: twice the last-level cache, at most 1 GiB and a quarter of memory
};

}  // namespace ridge::device
