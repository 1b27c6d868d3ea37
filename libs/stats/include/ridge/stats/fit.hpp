// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace ridge::stats {

// A straight line y = slope · x + intercept, fitted to points.
struct line {
  double slope = 0;
  double intercept = 0;
  double r2 =
      0;  // share of the variance of y that the line explains; 1 for constant y, which it meets exactly
};

// Returns the line with the least sum of squared residuals in y. x and y are equally long; x is not constant.
[[nodiscard]] line ordinary_least_squares(std::span<const double> x, std::span<const double> y);

// Returns the median of the slopes between all pairs of points with different x, which is right while fewer
// than 29 % of the points are wild. It takes O(n²) time and memory: suitable for some thousand points. H.
// Theil (1950); P. K. Sen, JASA 63 (1968).
[[nodiscard]] double theil_sen(std::span<const double> x, std::span<const double> y);

// A power law y = factor · x^exponent, fitted to points.
struct power_law {
  double factor = 0;
  double exponent = 0;
  double r2 = 0;  // of the logarithms
};

// Returns the power law with the least squares of the logarithms. x and y are positive; x is not constant.
[[nodiscard]] power_law fit_power_law(std::span<const double> x, std::span<const double> y);

}  // namespace ridge::stats
