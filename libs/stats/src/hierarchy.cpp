// SPDX-License-Identifier: Apache-2.0
#include <ridge/stats/hierarchy.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <ridge/base/expects.hpp>
#include <ridge/stats/quantile.hpp>
#include <ridge/stats/special.hpp>
#include <ridge/stats/summary.hpp>

namespace ridge::stats {

interval across_forks(std::span<const double> fork_medians, double alpha) {
  expects(!fork_medians.empty(), "across_forks: at least one fork");
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (fork_medians.size() == 1) return {-infinity, infinity};
  const auto forks = static_cast<double>(fork_medians.size());
  const double center = mean(fork_medians);
  const double error = standard_deviation(fork_medians) / std::sqrt(forks);
  const double half = student_t_quantile(1 - alpha / 2, forks - 1) * error;
  return {center - half, center + half};
}

bool between_exceeds_within(std::span<const double> fork_medians, std::span<const interval> within) {
  expects(fork_medians.size() == within.size(), "between_exceeds_within: one interval for each fork");
  if (fork_medians.size() < 2) return false;
  std::vector<double> half(within.size());
  std::ranges::transform(within, half.begin(), [](interval i) { return i.width() / 2; });
  return standard_deviation(fork_medians) > median(half);
}

}  // namespace ridge::stats
