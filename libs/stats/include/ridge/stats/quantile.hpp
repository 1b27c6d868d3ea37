// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include <ridge/base/interval.hpp>
#include <ridge/stats/median.hpp>

namespace ridge::stats {

// Returns the value that a share q of ascending observations lies below, interpolated (type 7 of Hyndman &
// Fan, The American Statistician 50, 1996). q lies in [0, 1]; the sample must not be empty.
[[nodiscard]] double sorted_quantile(std::span<const double> sorted, double q);

// Returns the median absolute deviation from the median, unscaled (the standard deviation of a normal sample
// is 1.4826 times as large).
[[nodiscard]] double mad(std::span<const double> x);

// A quantile with its confidence interval.
struct quantile_estimate {
  double value = 0;
  interval ci{};
};

// Returns the quantile of ascending observations with its distribution-free interval between two order
// statistics; each side misses the true quantile with probability at most (1 - level)/2. Returns nothing when
// the observations are too few for an interval. 0 < q < 1.
[[nodiscard]] std::optional<quantile_estimate> quantile_with_interval(std::span<const double> sorted,
                                                                      double q, double level);

// Returns the smallest n for which quantile_with_interval returns a value: the more extreme side requires
// max(q, 1-q)^n <= (1 - level)/2. At 95 % that is 368 for p99 and 3 688 for p99.9.
[[nodiscard]] std::size_t observations_needed(double q, double level);

}  // namespace ridge::stats
