// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ridge {

// A closed interval [lo, hi].
struct interval {
  double lo = 0;
  double hi = 0;
  // Returns whether x lies in the interval; its ends count.
  [[nodiscard]] constexpr bool contains(double x) const { return lo <= x && x <= hi; }
  // Returns whether the whole interval lies in `outer`; equal ends count.
  [[nodiscard]] constexpr bool within(interval outer) const { return outer.lo <= lo && hi <= outer.hi; }
  // Returns hi - lo.
  [[nodiscard]] constexpr double width() const { return hi - lo; }
  bool operator==(const interval&) const = default;
};

}  // namespace ridge
