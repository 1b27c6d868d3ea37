// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include <ridge/trace/ids.hpp>

namespace ridge::trace {

// [start, end), in nanoseconds.
struct time_range {
  nanoseconds start_ns = 0;
  nanoseconds end_ns = 0;
  [[nodiscard]] nanoseconds length_ns() const { return end_ns > start_ns ? end_ns - start_ns : 0; }
  friend bool operator==(const time_range&, const time_range&) = default;
};

// Times covered by at least one of the ranges given: disjoint, ascending, none empty, neighbours merged.
class interval_set {
 public:
  interval_set() = default;
  explicit interval_set(std::vector<time_range> ranges);  // in any order, overlapping or not

  [[nodiscard]] std::span<const time_range> ranges() const { return ranges_; }
  [[nodiscard]] bool empty() const { return ranges_.empty(); }
  [[nodiscard]] nanoseconds length_ns() const;
  [[nodiscard]] time_range span() const;  // first start to last end; {0, 0} when empty
  [[nodiscard]] bool covers(nanoseconds t) const;

  [[nodiscard]] interval_set united_with(const interval_set& other) const;
  [[nodiscard]] interval_set intersected_with(const interval_set& other) const;
  [[nodiscard]] interval_set without(const interval_set& other) const;
  [[nodiscard]] interval_set within(time_range window) const;
  [[nodiscard]] interval_set gaps_in(time_range window) const;  // the window without this set

  friend bool operator==(const interval_set&, const interval_set&) = default;

 private:
  std::vector<time_range> ranges_{};
};

}  // namespace ridge::trace
