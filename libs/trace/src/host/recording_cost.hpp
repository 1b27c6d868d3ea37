// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/trace/host_line.hpp>

namespace ridge::trace {

// What recording cost some threads up to any time: the sum over the events that began before it.
class recording_cost {
 public:
  // Adds the events of all tracks of these threads, and their frames.
  recording_cost(const trace& t, std::span<const track_id> threads, const profiler_costs& costs);
  // The cost of the events that begin in the range.
  [[nodiscard]] nanoseconds within(time_range range) const;

 private:
  [[nodiscard]] nanoseconds before(nanoseconds time_ns) const;
  std::vector<nanoseconds> starts_{}, sums_{};  // sums_[i]: of all events up to and with i
};

}  // namespace ridge::trace
