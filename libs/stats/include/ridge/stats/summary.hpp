// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include <ridge/base/interval.hpp>

namespace ridge::stats {

// The extremes, quartiles and median of a sample.
struct five_numbers {
  double min = 0;
  double lower_quartile = 0;
  double median = 0;
  double upper_quartile = 0;
  double max = 0;
};

// Returns the five numbers of a sample, which may have any order and must not be empty; quartiles are those
// of sorted_quantile.
[[nodiscard]] five_numbers summarize(std::span<const double> x);

// Returns the arithmetic mean; x must not be empty.
[[nodiscard]] double mean(std::span<const double> x);

// Returns the standard deviation with divisor n - 1, computed in two passes; 0 for a single observation.
[[nodiscard]] double standard_deviation(std::span<const double> x);

// Returns the geometric mean as exp of the mean logarithm, which neither overflows nor underflows. x is
// positive and not empty.
[[nodiscard]] double geometric_mean(std::span<const double> x);

// Returns the interval of ratios for an interval of their logarithms.
[[nodiscard]] interval from_log(interval logs);

}  // namespace ridge::stats
