// SPDX-License-Identifier: Apache-2.0
#include "hta/hta_distribution.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <ridge/stats/quantile.hpp>

namespace ridge::trace {

double sample_deviation(std::span<const double> x) {
  if (x.size() < 2) return std::numeric_limits<double>::quiet_NaN();
  const auto n = static_cast<double>(x.size());
  const double mean = std::accumulate(x.begin(), x.end(), 0.0) / n;
  double squares = 0;
  for (const double v : x) squares += (v - mean) * (v - mean);
  return std::sqrt(squares / (n - 1));
}

hta_distribution describe(std::vector<double> x) {
  constexpr auto absent = std::numeric_limits<double>::quiet_NaN();
  if (x.empty()) return {0, absent, absent, absent, absent, absent, absent, absent};
  const double mean = std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
  const double deviation = sample_deviation(x);
  std::ranges::sort(x);
  return {.count = x.size(),
          .mean = mean,
          .deviation = deviation,
          .min = x.front(),
          .p25 = stats::sorted_quantile(x, 0.25),
          .p50 = stats::sorted_quantile(x, 0.5),
          .p75 = stats::sorted_quantile(x, 0.75),
          .max = x.back()};
}

}  // namespace ridge::trace
