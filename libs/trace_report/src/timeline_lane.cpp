// SPDX-License-Identifier: Apache-2.0
#include "timeline_lane.hpp"

namespace ridge::trace_report {

bool lane_stack::put(const timeline_box& box) {
  for (auto& lane : lanes_) {
    if (lane.back().end > box.start) continue;
    lane.push_back(box);
    return true;
  }
  if (lanes_.size() == most_) return false;
  lanes_.push_back({box});
  return true;
}

void for_merged(const timeline_lane& lane, trace::nanoseconds below,
                const std::function<void(const timeline_box&)>& put) {
  constexpr trace::nanoseconds longest = 16;
  const auto is_short = [&](const timeline_box& b) { return b.end - b.start < below; };
  timeline_box open;
  trace::nanoseconds longest_inside = -1;  // -1: nothing is open
  for (const auto& box : lane) {
    const bool joins = longest_inside >= 0 && is_short(box) && box.start - open.end < below &&
                       box.end - open.start < longest * below;
    if (!joins) {
      if (longest_inside >= 0) put(open);
      longest_inside = -1;
      if (!is_short(box)) {
        put(box);
        continue;
      }
      open = box;
      longest_inside = box.end - box.start;
      continue;
    }
    open.end = box.end;
    open.events += box.events;
    if (box.end - box.start > longest_inside) {
      longest_inside = box.end - box.start;
      open.event = box.event;
    }
  }
  if (longest_inside >= 0) put(open);
}

}  // namespace ridge::trace_report
