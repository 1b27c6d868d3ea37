// SPDX-License-Identifier: Apache-2.0
#include "idle/dominant_event.hpp"

#include <algorithm>
#include <cstdint>
#include <map>

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

name_id dominant_function(const trace& t, track_id thread, time_range range) {
  constexpr std::size_t least_samples = 3;
  if (thread == none) return 0;
  const auto& mine = t.tracks[thread];
  std::map<std::uint32_t, std::uint64_t> weight_below;  // of each frame of a stack
  std::uint64_t total = 0;
  std::size_t samples = 0;
  auto at = std::ranges::lower_bound(t.samples, range.start_ns, {}, &stack_sample::time_ns);
  for (; at != t.samples.end() && at->time_ns < range.end_ns; ++at) {
    if (at->track == none) continue;
    const auto& other = t.tracks[at->track];
    if (other.process != mine.process || other.thread != mine.thread) continue;
    ++samples;
    total += at->weight;
    for (auto frame = at->stack; frame != none; frame = t.stacks[frame].caller)
      weight_below[frame] += at->weight;
  }
  if (samples < least_samples) return 0;
  // Frames that hold more than half are one path, and callers stand before what they call.
  const auto most = std::ranges::find_if(weight_below.rbegin(), weight_below.rend(),
                                         [&](const auto& one) { return 2 * one.second > total; });
  return most == weight_below.rend() ? 0 : t.stacks[most->first].function;
}

}  // namespace ridge::trace
