// SPDX-License-Identifier: Apache-2.0
#include "events/launch_by_id.hpp"

#include <algorithm>
#include <tuple>

namespace ridge::trace {
namespace {

// A number that no call has is treated as none: arrows of some traces begin and end at the work.
bool needs_it(const device_work& w) { return w.launch == none && w.external != 0; }

}  // namespace

launch_by_id::launch_by_id(const trace& t) : t_(t) {
  if (!std::ranges::any_of(t.works, needs_it)) return;
  for (event_id e = 0; e < t.events.size(); ++e) {
    if (t.events.kind[e] == category::api && t.events.correlation[e] == 0 && t.events.external[e] != 0)
      calls_.push_back(e);
  }
  std::ranges::stable_sort(
      calls_, {}, [&](event_id e) { return std::tuple(t.events.external[e], t.events.start_ns[e]); });
}

event_id launch_by_id::find(const device_work& w) const {
  if (!needs_it(w)) return none;
  const auto after = std::ranges::upper_bound(
      calls_, std::tuple(w.external, w.start_ns), {},
      [&](event_id e) { return std::tuple(t_.events.external[e], t_.events.start_ns[e]); });
  if (after == calls_.begin() || t_.events.external[*(after - 1)] != w.external) return none;
  const auto call = *(after - 1);
  const auto process = t_.tracks[t_.events.track[call]].process;
  return w.process == none || w.process == process ? call : none;
}

}  // namespace ridge::trace
