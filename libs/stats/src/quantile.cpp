// SPDX-License-Identifier: Apache-2.0
#include <ridge/stats/quantile.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include <ridge/base/expects.hpp>
#include <ridge/stats/special.hpp>

namespace ridge::stats {
namespace {

// Returns the largest rank k (from 1) with P(Bin(n,q) < k) <= miss, so that x_(k) exceeds the quantile with
// at most this probability; 0 when there is none.
std::size_t lower_rank(std::size_t n, double q, double miss) {
  std::size_t holds = 0;
  std::size_t fails = n + 1;
  while (fails - holds > 1) {
    const auto k = holds + (fails - holds) / 2;
    (binomial_cdf(k - 1, n, q) <= miss ? holds : fails) = k;
  }
  return holds;
}

}  // namespace

double sorted_quantile(std::span<const double> sorted, double q) {
  expects(!sorted.empty() && q >= 0 && q <= 1, "sorted_quantile: observations, and a q between 0 and 1");
  const double place = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  if (below + 1 >= sorted.size()) return sorted.back();
  return std::lerp(sorted[below], sorted[below + 1], place - static_cast<double>(below));
}

double mad(std::span<const double> x) {
  const double center = median(x);
  std::vector<double> distance(x.size());
  std::ranges::transform(x, distance.begin(), [&](double v) { return std::fabs(v - center); });
  return median_in_place(distance);
}

std::optional<quantile_estimate> quantile_with_interval(std::span<const double> sorted, double q,
                                                        double level) {
  expects(q > 0 && q < 1 && level > 0 && level < 1,
          "quantile_with_interval: q and level lie between 0 and 1");
  const auto n = sorted.size();
  const double miss = (1 - level) / 2;
  const auto lower = lower_rank(n, q, miss);
  const auto upper = lower_rank(n, 1 - q, miss);  // the same from the upper end
  if (lower == 0 || upper == 0) return std::nullopt;
  return quantile_estimate{sorted_quantile(sorted, q), {sorted[lower - 1], sorted[n - upper]}};
}

std::size_t observations_needed(double q, double level) {
  expects(q > 0 && q < 1 && level > 0 && level < 1, "observations_needed: q and level lie between 0 and 1");
  const double miss = (1 - level) / 2;
  return static_cast<std::size_t>(std::ceil(std::log(miss) / std::log(std::max(q, 1 - q))));
}

}  // namespace ridge::stats
