// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace ridge::stats {

struct line {
  double slope = 0;
  double intercept = 0;
  double r2 =
      0;  // share of the variance of y that the line explains; 1 for constant y, which it meets exactly
};

// Least squares. x and y: equally long, x not constant.
[[nodiscard]] line ordinary_least_squares(std::span<const double> x, std::span<const double> y);

// The median of the slopes between all pairs with different x: right while fewer than 29 % of the points are
// wild. O(n²) in time and memory: some thousand points. H. Theil (1950); P. K. Sen, JASA 63 (1968).
[[nodiscard]] double theil_sen(std::span<const double> x, std::span<const double> y);

struct power_law {
  double factor = 0;
  double exponent = 0;
  double r2 = 0;  // of the logarithms
};

// y = factor · x^exponent by least squares of the logarithms. x, y: positive, x not constant.
[[nodiscard]] power_law fit_power_law(std::span<const double> x, std::span<const double> y);

}  // namespace ridge::stats
