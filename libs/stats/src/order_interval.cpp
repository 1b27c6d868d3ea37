// SPDX-License-Identifier: Apache-2.0
#include <ridge/stats/order_interval.hpp>

#include <algorithm>
#include <limits>

#include <ridge/base/expects.hpp>
#include <ridge/stats/special.hpp>

namespace ridge::stats {

std::size_t sign_rank(std::size_t n, double alpha) {
  std::size_t holds = 0;
  std::size_t fails = n / 2 + 1;
  while (fails - holds > 1) {
    const auto k = holds + (fails - holds) / 2;
    (2 * binomial_cdf(k - 1, n, 0.5) <= alpha ? holds : fails) = k;
  }
  return holds;
}

double rank_confidence(std::size_t n, std::size_t k) {
  return k == 0 ? 1 : std::max(0.0, 1 - 2 * binomial_cdf(k - 1, n, 0.5));
}

interval order_interval(std::span<const double> sorted, std::size_t k) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (k == 0) return {-infinity, infinity};
  expects(2 * k <= sorted.size() + 1, "order_interval: the rank lies in the lower half of the observations");
  return {sorted[k - 1], sorted[sorted.size() - k]};
}

double sign_test_p(std::span<const double> x, double null) {
  const auto above = static_cast<std::size_t>(std::ranges::count_if(x, [&](double v) { return v > null; }));
  const auto below = static_cast<std::size_t>(std::ranges::count_if(x, [&](double v) { return v < null; }));
  return std::min(1.0, 2 * binomial_cdf(std::min(above, below), above + below, 0.5));
}

}  // namespace ridge::stats
