// SPDX-License-Identifier: Apache-2.0
#include "overflow_lanes.hpp"

namespace ridge::trace_report {

std::uint32_t overflow_lanes::place(trace::nanoseconds start_ns, trace::nanoseconds end_ns) {
  for (std::uint32_t lane = 0;; ++lane) {
    if (lane == open_.size()) open_.emplace_back();
    auto& ends = open_[lane];
    while (!ends.empty() && ends.back() <= start_ns) ends.pop_back();
    if (!ends.empty() && end_ns > ends.back()) continue;
    ends.push_back(end_ns);
    return lane;
  }
}

}  // namespace ridge::trace_report
