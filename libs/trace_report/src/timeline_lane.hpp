// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <ridge/trace/trace.hpp>

namespace ridge::trace_report {

// One event or several short neighbours, with times on the common clock.
struct timeline_box {
  trace::nanoseconds start = 0;
  trace::nanoseconds end = 0;
  trace::event_id event = 0;  // the longest event
  std::uint32_t events = 1;
};

// Boxes that do not overlap, ascending.
using timeline_lane = std::vector<timeline_box>;

// Puts each event of one track, in order, on the first free lane, so that nested ones are below each other.
class lane_stack {
 public:
  explicit lane_stack(std::uint32_t most) : most_(most) {}
  [[nodiscard]] bool put(const timeline_box& box);  // false: deeper than `most`
  [[nodiscard]] std::vector<timeline_lane> take() && { return std::move(lanes_); }

 private:
  std::uint32_t most_;
  std::vector<timeline_lane> lanes_{};
};

// Calls `put` with each box, after merging boxes that are shorter than `below` and closer together than that.
// A merged box is at most 16 times `below` long.
void for_merged(const timeline_lane& lane, trace::nanoseconds below,
                const std::function<void(const timeline_box&)>& put);

}  // namespace ridge::trace_report
