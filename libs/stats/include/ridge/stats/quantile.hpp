// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include <ridge/base/interval.hpp>
#include <ridge/stats/median.hpp>

namespace ridge::stats {

// The value with a share q of ascending observations below it, interpolated (type 7 of Hyndman & Fan, The
// American Statistician 50, 1996). 0 <= q <= 1, not empty.
[[nodiscard]] double sorted_quantile(std::span<const double> sorted, double q);

// The median distance from the median, unscaled (a normal sample's standard deviation is 1.4826 times that).
[[nodiscard]] double mad(std::span<const double> x);

struct quantile_estimate {
  double value = 0;
  interval ci{};
};

// The quantile with its distribution-free interval of two order statistics, each side missing with
// probability at most (1 - level)/2; empty when the observations are too few for one. 0 < q < 1.
[[nodiscard]] std::optional<quantile_estimate> quantile_with_interval(std::span<const double> sorted,
                                                                      double q, double level);

// The smallest n for which quantile_with_interval is not empty: the more extreme side asks for
// max(q, 1-q)^n <= (1 - level)/2. p99 at 95 %: 368; p99.9: 3 688.
[[nodiscard]] std::size_t observations_needed(double q, double level);

}  // namespace ridge::stats
