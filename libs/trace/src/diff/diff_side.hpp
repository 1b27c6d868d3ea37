// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include <ridge/trace/trace_diff.hpp>

namespace ridge::trace {

// One side of a diff: the works of its device and the time that each alone accounts for.
struct side_times {
  const trace* source = nullptr;
  std::span<const device_work> works{};
  interval_set windows{};
  std::int64_t steps = 0;            // 0: no steps, one window
  std::vector<diff_state> states{};  // by work
  std::vector<nanoseconds> alone{};  // by work: time in its state that no earlier work of that state covers
  std::vector<nanoseconds> busy{};   // by work: duration within the windows
  std::vector<bool> counted{};       // by work: whether it begins within the windows
  nanoseconds idle_ns = 0;
};

[[nodiscard]] side_times times_of(const diff_side& side);
// Returns the windows of a side that has steps, or all time for a side without.
[[nodiscard]] interval_set counted_windows(const diff_side& side);

}  // namespace ridge::trace
