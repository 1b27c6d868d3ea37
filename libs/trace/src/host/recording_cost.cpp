// SPDX-License-Identifier: Apache-2.0
#include "host/recording_cost.hpp"

#include <algorithm>
#include <utility>

namespace ridge::trace {
namespace {

nanoseconds cost_of(const trace& t, event_id e, const profiler_costs& costs) {
  switch (t.events.kind[e]) {
    case category::python:
      return costs.frame_ns;
    case category::api:
      return costs.call_ns;
    case category::op: {
      const auto detail = t.events.detail[e];
      const bool shaped = detail != none && t.names[t.ops[detail].input_dims].size() > 2;
      return shaped ? costs.shaped_op_ns : costs.op_ns;
    }
    default:
      return 0;
  }
}

bool is_of(const trace& t, const track& some, track_id thread) {
  const auto& mine = t.tracks[thread];
  return some.process == mine.process && some.thread == mine.thread &&
         (some.kind == track_kind::thread || some.kind == track_kind::python);
}

}  // namespace

recording_cost::recording_cost(const trace& t, std::span<const track_id> threads,
                               const profiler_costs& costs) {
  std::vector<std::pair<nanoseconds, nanoseconds>> events;
  for (const auto& some : t.tracks) {
    if (std::ranges::none_of(threads, [&](track_id thread) { return is_of(t, some, thread); })) continue;
    for (auto e = some.first; e < some.first + some.count; ++e) {
      if (const auto cost = cost_of(t, e, costs); cost > 0) events.emplace_back(t.events.start_ns[e], cost);
    }
  }
  std::ranges::sort(events);
  nanoseconds sum = 0;
  for (const auto& [start, cost] : events) {
    starts_.push_back(start);
    sums_.push_back(sum += cost);
  }
}

nanoseconds recording_cost::before(nanoseconds time_ns) const {
  const auto at = std::ranges::lower_bound(starts_, time_ns);
  return at == starts_.begin() ? 0 : sums_[static_cast<std::size_t>(at - starts_.begin()) - 1];
}

nanoseconds recording_cost::within(time_range range) const {
  return before(range.end_ns) - before(range.start_ns);
}

}  // namespace ridge::trace
