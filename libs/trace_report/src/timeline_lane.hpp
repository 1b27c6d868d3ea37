// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <ridge/trace/trace.hpp>

namespace ridge::trace_report {

// One event, or several short neighbours, on the common clock.
struct timeline_box {
  trace::nanoseconds start = 0;
  trace::nanoseconds end = 0;
  trace::event_id event = 0;  // the longest
  std::uint32_t events = 1;
};

// Boxes that do not overlap, ascending.
using timeline_lane = std::vector<timeline_box>;

// Puts events of one track, in their order, on the first lane that is free: nested ones below each other.
class lane_stack {
 public:
  explicit lane_stack(std::uint32_t most) : most_(most) {}
  [[nodiscard]] bool put(const timeline_box& box);  // false: deeper than `most`
  [[nodiscard]] std::vector<timeline_lane> take() && { return std::move(lanes_); }

 private:
  std::uint32_t most_;
  std::vector<timeline_lane> lanes_{};
};

// Calls `put` with each box, after merging boxes shorter than `below` that stand closer than that. What is
// merged grows no longer than 16 times `below`.
void for_merged(const timeline_lane& lane, trace::nanoseconds below,
                const std::function<void(const timeline_box&)>& put);

}  // namespace ridge::trace_report
