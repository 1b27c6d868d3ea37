// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/interval_set.hpp>

#include <algorithm>

namespace ridge::trace {
namespace {

// Appends a range that starts no earlier than the last one's start.
void append(std::vector<time_range>& ranges, time_range r) {
  if (r.end_ns <= r.start_ns) return;
  if (!ranges.empty() && r.start_ns <= ranges.back().end_ns)
    ranges.back().end_ns = std::max(ranges.back().end_ns, r.end_ns);
  else
    ranges.push_back(r);
}

}  // namespace

interval_set::interval_set(std::vector<time_range> ranges) {
  if (!std::ranges::is_sorted(ranges, {}, &time_range::start_ns))
    std::ranges::sort(ranges, {}, &time_range::start_ns);
  for (const auto r : ranges) append(ranges_, r);
}

nanoseconds interval_set::length_ns() const {
  nanoseconds sum = 0;
  for (const auto r : ranges_) sum += r.length_ns();
  return sum;
}

time_range interval_set::span() const {
  return ranges_.empty() ? time_range{} : time_range{ranges_.front().start_ns, ranges_.back().end_ns};
}

bool interval_set::covers(nanoseconds t) const {
  const auto after = std::ranges::upper_bound(ranges_, t, {}, &time_range::start_ns);
  return after != ranges_.begin() && t < std::prev(after)->end_ns;
}

interval_set interval_set::united_with(const interval_set& other) const {
  std::vector<time_range> all;
  all.reserve(ranges_.size() + other.ranges_.size());
  std::ranges::merge(ranges_, other.ranges_, std::back_inserter(all), {}, &time_range::start_ns,
                     &time_range::start_ns);
  interval_set out;
  for (const auto r : all) append(out.ranges_, r);
  return out;
}

interval_set interval_set::intersected_with(const interval_set& other) const {
  interval_set out;
  for (auto a = ranges_.begin(), b = other.ranges_.begin(); a != ranges_.end() && b != other.ranges_.end();) {
    append(out.ranges_, {std::max(a->start_ns, b->start_ns), std::min(a->end_ns, b->end_ns)});
    if (a->end_ns < b->end_ns)
      ++a;
    else
      ++b;
  }
  return out;
}

interval_set interval_set::without(const interval_set& other) const {
  interval_set out;
  auto b = other.ranges_.begin();
  for (auto a : ranges_) {
    while (b != other.ranges_.end() && b->end_ns <= a.start_ns) ++b;
    for (auto cut = b; cut != other.ranges_.end() && cut->start_ns < a.end_ns; ++cut) {
      append(out.ranges_, {a.start_ns, cut->start_ns});
      a.start_ns = cut->end_ns;
    }
    append(out.ranges_, a);
  }
  return out;
}

interval_set interval_set::within(time_range window) const {
  return intersected_with(interval_set({window}));
}

interval_set interval_set::gaps_in(time_range window) const { return interval_set({window}).without(*this); }

}  // namespace ridge::trace
