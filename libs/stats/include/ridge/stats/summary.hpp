// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include <ridge/base/interval.hpp>

namespace ridge::stats {

struct five_numbers {
  double min = 0;
  double lower_quartile = 0;
  double median = 0;
  double upper_quartile = 0;
  double max = 0;
};

// Quartiles as sorted_quantile gives them. x: any order, not empty.
[[nodiscard]] five_numbers summarize(std::span<const double> x);

// x: not empty.
[[nodiscard]] double mean(std::span<const double> x);

// With n - 1 below the line, in two passes; 0 for a single observation.
[[nodiscard]] double standard_deviation(std::span<const double> x);

// exp of the mean logarithm, which neither overflows nor underflows. x: positive, not empty.
[[nodiscard]] double geometric_mean(std::span<const double> x);

// An interval of log ratios as an interval of ratios.
[[nodiscard]] interval from_log(interval logs);

}  // namespace ridge::stats
