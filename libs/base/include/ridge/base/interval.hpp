// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ridge {

// A closed interval [lo, hi].
struct interval {
  double lo = 0;
  double hi = 0;
  [[nodiscard]] constexpr bool contains(double x) const { return lo <= x && x <= hi; }
  [[nodiscard]] constexpr bool within(interval outer) const { return outer.lo <= lo && hi <= outer.hi; }
  [[nodiscard]] constexpr double width() const { return hi - lo; }
  bool operator==(const interval&) const = default;
};

}  // namespace ridge
