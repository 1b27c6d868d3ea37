// SPDX-License-Identifier: Apache-2.0
#include "idle/dominant_event.hpp"

#include <algorithm>

namespace ridge::trace {
namespace {

// Events of a track are ordered by start, parents first, so that of those that hold most of the range the
// last one is the deepest: two that do not enclose each other cannot both hold more than half.
event_id deepest_on(const trace& t, const track& on, time_range range, category kind) {
  const auto starts = t.events.start_ns.subspan(on.first, on.count);
  const auto first_after = std::ranges::lower_bound(starts, range.end_ns);
  auto deepest = none;
  for (auto e = on.first; e < on.first + static_cast<event_id>(first_after - starts.begin()); ++e) {
    if (t.events.kind[e] != kind || t.events.end_ns(e) <= range.start_ns) continue;
    if (t.name_of(e).starts_with("ProfilerStep#")) continue;  // an operator in old traces
    const time_range shared{std::max(t.events.start_ns[e], range.start_ns),
                            std::min(t.events.end_ns(e), range.end_ns)};
    if (2 * shared.length_ns() > range.length_ns()) deepest = e;
  }
  return deepest;
}

}  // namespace

event_id dominant_event(const trace& t, track_id thread, time_range range) {
  if (thread == none || range.length_ns() == 0) return none;
  const auto& mine = t.tracks[thread];
  auto frame = none, op = none;
  for (const auto& other : t.tracks) {
    if (other.process != mine.process || other.thread != mine.thread) continue;
    if (other.kind == track_kind::python) frame = deepest_on(t, other, range, category::python);
    if (other.kind == track_kind::thread) op = deepest_on(t, other, range, category::op);
  }
  // An operator inside the frame says more than the frame, one around it less.
  if (frame == none) return op;
  if (op == none) return frame;
  return t.events.start_ns[op] >= t.events.start_ns[frame] ? op : frame;
}

}  // namespace ridge::trace
