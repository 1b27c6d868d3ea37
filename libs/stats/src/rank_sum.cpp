// SPDX-License-Identifier: Apache-2.0
#include <ridge/stats/rank_sum.hpp>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <ridge/base/expects.hpp>
#include <ridge/stats/special.hpp>

namespace ridge::stats {

double rank_sum_p(std::span<const double> x, std::span<const double> y) {
  expects(x.size() >= least_ranked && y.size() >= least_ranked, "rank_sum_p: enough observations");
  std::vector<std::pair<double, bool>> all;  // value, and whether it is one of x
  all.reserve(x.size() + y.size());
  for (const double value : x) all.emplace_back(value, true);
  for (const double value : y) all.emplace_back(value, false);
  std::ranges::sort(all);
  double rank_sum = 0, ties = 0;
  for (std::size_t begin = 0; begin < all.size();) {
    auto end = begin;
    double of_x = 0;
    for (; end < all.size() && all[end].first == all[begin].first; ++end) of_x += all[end].second ? 1 : 0;
    const auto count = static_cast<double>(end - begin);
    rank_sum +=
        of_x * (static_cast<double>(begin + end) + 1) / 2;  // equal values share the mean of their ranks
    ties += count * count * count - count;
    begin = end;
  }
  const auto m = static_cast<double>(x.size()), n = static_cast<double>(y.size());
  const auto variance = m * n / 12 * (m + n + 1 - ties / ((m + n) * (m + n - 1)));
  if (!(variance > 0)) return 1;
  const auto away = std::abs(rank_sum - m * (m + n + 1) / 2) - 0.5;
  return std::min(1.0, 2 * normal_cdf(-std::max(0.0, away) / std::sqrt(variance)));
}

}  // namespace ridge::stats
