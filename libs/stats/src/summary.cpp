// SPDX-License-Identifier: Apache-2.0
#include <ridge/stats/summary.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include <ridge/base/expects.hpp>
#include <ridge/stats/quantile.hpp>

namespace ridge::stats {

five_numbers summarize(std::span<const double> x) {
  expects(!x.empty(), "summarize: at least one observation");
  std::vector<double> sorted(x.begin(), x.end());
  std::ranges::sort(sorted);
  return {sorted.front(), sorted_quantile(sorted, 0.25), sorted_quantile(sorted, 0.5),
          sorted_quantile(sorted, 0.75), sorted.back()};
}

double mean(std::span<const double> x) {
  expects(!x.empty(), "mean: at least one observation");
  double sum = 0;
  for (const double v : x) sum += v;
  return sum / static_cast<double>(x.size());
}

double standard_deviation(std::span<const double> x) {
  const double center = mean(x);
  if (x.size() == 1) return 0;
  double sum = 0;
  for (const double v : x) sum += (v - center) * (v - center);
  return std::sqrt(sum / static_cast<double>(x.size() - 1));
}

double geometric_mean(std::span<const double> x) {
  expects(!x.empty(), "geometric_mean: at least one observation");
  double sum = 0;
  for (const double v : x) {
    expects(v > 0, "geometric_mean: observations are positive");
    sum += std::log(v);
  }
  return std::exp(sum / static_cast<double>(x.size()));
}

interval from_log(interval logs) { return {std::exp(logs.lo), std::exp(logs.hi)}; }

}  // namespace ridge::stats
