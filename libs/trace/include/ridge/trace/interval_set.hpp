// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include <ridge/trace/ids.hpp>

namespace ridge::trace {

// The half-open range [start, end) in nanoseconds.
struct time_range {
  nanoseconds start_ns = 0;
  nanoseconds end_ns = 0;
  // Length in nanoseconds; 0 for an empty or reversed range.
  [[nodiscard]] nanoseconds length_ns() const { return end_ns > start_ns ? end_ns - start_ns : 0; }
  friend bool operator==(const time_range&, const time_range&) = default;
};

// A set of times, kept as disjoint, ascending, non-empty ranges; neighbours are merged.
class interval_set {
 public:
  interval_set() = default;
  explicit interval_set(std::vector<time_range> ranges);  // in any order, overlapping or not

  // The ranges in ascending order, valid as long as the set.
  [[nodiscard]] std::span<const time_range> ranges() const { return ranges_; }
  // Whether the set holds no time.
  [[nodiscard]] bool empty() const { return ranges_.empty(); }
  // Sum of the lengths of all ranges.
  [[nodiscard]] nanoseconds length_ns() const;
  [[nodiscard]] time_range span() const;  // first start to last end; {0, 0} when empty
  // Whether `t` lies in the set.
  [[nodiscard]] bool covers(nanoseconds t) const;

  // Times in this set or in the other.
  [[nodiscard]] interval_set united_with(const interval_set& other) const;
  // Times in both sets.
  [[nodiscard]] interval_set intersected_with(const interval_set& other) const;
  // Times in this set and not in the other.
  [[nodiscard]] interval_set without(const interval_set& other) const;
  // Times of this set in the window.
  [[nodiscard]] interval_set within(time_range window) const;
  [[nodiscard]] interval_set gaps_in(
      time_range window) const;  // times of the window that are not in this set

  friend bool operator==(const interval_set&, const interval_set&) = default;

 private:
  std::vector<time_range> ranges_{};
};

}  // namespace ridge::trace
