// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <utility>

#include <ridge/trace/activity.hpp>

namespace ridge::trace {

// Calls each(activity_change, length) for the parts of a window in which something ran.
template <class Each>
void walk(const device_activity& a, time_range window, Each each) {
  auto at = std::ranges::upper_bound(a.changes, window.start_ns, {}, &activity_change::start_ns);
  if (at != a.changes.begin()) --at;
  for (; at != a.changes.end() && at->start_ns < window.end_ns; ++at) {
    const auto next = std::next(at);
    if (next == a.changes.end() || at->runs == 0) continue;
    const auto length = std::min(next->start_ns, window.end_ns) - std::max(at->start_ns, window.start_ns);
    if (length > 0) each(*at, length);
  }
}

}  // namespace ridge::trace
