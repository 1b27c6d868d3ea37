// SPDX-License-Identifier: Apache-2.0
#include "mann_whitney.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include <ridge/stats/special.hpp>

namespace ridge::peers {
namespace {

struct ranking {
  double sum_a = 0;     // sum of the ranks of a; ties share their mean rank
  double tie_term = 0;  // sum over ties of t^3 - t
};

ranking rank(std::span<const double> a, std::span<const double> b) {
  std::vector<std::pair<double, bool>> all;
  for (const double x : a) all.emplace_back(x, true);
  for (const double x : b) all.emplace_back(x, false);
  std::ranges::sort(all);
  ranking r;
  for (std::size_t i = 0, j = 0; i < all.size(); i = j) {
    double of_a = 0;
    for (j = i; j < all.size() && all[j].first == all[i].first; ++j) of_a += all[j].second ? 1 : 0;
    const auto tied = static_cast<double>(j - i);
    r.sum_a += of_a * (static_cast<double>(i + j + 1) / 2);
    r.tie_term += tied * tied * tied - tied;
  }
  return r;
}

}  // namespace

double mann_whitney_p(std::span<const double> a, std::span<const double> b) {
  const auto n = static_cast<double>(a.size()), m = static_cast<double>(b.size());
  const auto ranks = rank(a, b);
  const double u_a = ranks.sum_a - n * (n + 1) / 2, u = std::max(u_a, n * m - u_a);
  const double variance = n * m / 12 * ((n + m + 1) - ranks.tie_term / ((n + m) * (n + m - 1)));
  if (variance <= 0) return 1;
  return std::min(1.0, 2 * stats::normal_cdf(-(u - n * m / 2 - 0.5) / std::sqrt(variance)));
}

}  // namespace ridge::peers
