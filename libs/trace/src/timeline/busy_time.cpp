// SPDX-License-Identifier: Apache-2.0
#include "timeline/busy_time.hpp"

#include <algorithm>

namespace ridge::trace {

busy_time::busy_time(interval_set busy) : busy_(std::move(busy)) {
  ahead_.reserve(busy_.ranges().size());
  nanoseconds sum = 0;
  for (const auto r : busy_.ranges()) {
    ahead_.push_back(sum);
    sum += r.length_ns();
  }
}

nanoseconds busy_time::before(nanoseconds t) const {
  const auto ranges = busy_.ranges();
  const auto after = std::ranges::upper_bound(ranges, t, {}, &time_range::start_ns);
  if (after == ranges.begin()) return 0;
  const auto at = std::prev(after);
  return ahead_[static_cast<std::size_t>(at - ranges.begin())] + std::min(t, at->end_ns) - at->start_ns;
}

nanoseconds busy_time::within(time_range r) const {
  return r.length_ns() > 0 ? before(r.end_ns) - before(r.start_ns) : 0;
}

std::optional<time_range> busy_time::idle_from(nanoseconds t) const {
  const auto ranges = busy_.ranges();
  const auto next = std::ranges::upper_bound(ranges, t, {}, &time_range::end_ns);
  if (next == ranges.end() || next->start_ns <= t) return {};
  return time_range{t, next->start_ns};
}

}  // namespace ridge::trace
