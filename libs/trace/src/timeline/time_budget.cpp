// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/time_budget.hpp>

#include <algorithm>

namespace ridge::trace {
namespace {

// The first `length` nanoseconds of the set.
interval_set leading_part(const interval_set& s, nanoseconds length) {
  std::vector<time_range> ranges;
  for (auto r : s.ranges()) {
    if (length <= 0) break;
    r.end_ns = std::min(r.end_ns, r.start_ns + length);
    length -= r.length_ns();
    ranges.push_back(r);
  }
  return interval_set(std::move(ranges));
}

}  // namespace

time_budget::time_budget(const std::vector<time_range>& windows) {
  for (const auto w : windows) pools_.push_back({w, interval_set({w}), {}});
}

nanoseconds time_budget::take(const claim& wanted) {
  auto& from = pools_.at(wanted.pool);
  const auto meant = wanted.ranges.within(from.window).without(from.left_out);
  const auto free = meant.intersected_with(from.left);
  const auto taken_before = meant.length_ns() - free.length_ns();
  const auto granted = std::clamp<nanoseconds>(wanted.at_most_ns - taken_before, 0, free.length_ns());
  if (granted > 0) from.left = from.left.without(leading_part(free, granted));
  return granted;
}

nanoseconds time_budget::leave_out(const claim& wanted) {
  auto& from = pools_.at(wanted.pool);
  const auto free = wanted.ranges.within(from.window).intersected_with(from.left);
  const auto gone = leading_part(free, std::max<nanoseconds>(0, wanted.at_most_ns));
  from.left = from.left.without(gone);
  from.left_out = from.left_out.united_with(gone);
  return gone.length_ns();
}

nanoseconds time_budget::alone(const claim& wanted) const {
  const auto meant = wanted.ranges.within(pools_.at(wanted.pool).window).length_ns();
  return std::clamp<nanoseconds>(wanted.at_most_ns, 0, meant);
}

nanoseconds time_budget::left(std::uint32_t pool_index) const {
  return pools_.at(pool_index).left.length_ns();
}

nanoseconds time_budget::total(std::uint32_t pool_index) const {
  return pools_.at(pool_index).window.length_ns();
}

}  // namespace ridge::trace
