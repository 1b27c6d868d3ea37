// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include <ridge/report/chart.hpp>

namespace ridge::report {

// The least and greatest value of a chart on one axis.
struct chart_range {
  double least = std::numeric_limits<double>::infinity(), greatest = -std::numeric_limits<double>::infinity();
  // Widens the range to a value, unless the axis cannot show it.
  void take(double value, const chart_axis& axis) {
    if (!std::isfinite(value) || (axis.scale == chart_scale::logarithmic && value <= 0)) return;
    least = std::min(least, value);
    greatest = std::max(greatest, value);
  }
  [[nodiscard]] bool empty() const { return least > greatest; }
};

// Return the ranges of a chart's data, bands and limits included.
[[nodiscard]] chart_range x_range(const chart& chart);
[[nodiscard]] chart_range y_range(const chart& chart);

// Returns the key of the series at this place, which chooses its colour, shape and mark.
[[nodiscard]] std::size_t key_of(const chart& chart, std::size_t place);

}  // namespace ridge::report
