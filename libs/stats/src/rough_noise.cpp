// SPDX-License-Identifier: Apache-2.0
#include "rough_noise.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "block_resampling.hpp"
#include "step_statistic.hpp"

namespace ridge::stats {
namespace {

constexpr std::size_t observations_for_a_step = 30;
// The greatest of a hundred standardised steps of independent normal noise is 3 at the median, and above 4
// once in a hundred series.
constexpr double clear = 4;

// Returns the highest step within any level.
step highest_within(std::span<const double> x, std::span<const std::size_t> ends, std::size_t fewest) {
  step best{};
  std::size_t begin = 0;
  for (const auto end : ends) {
    if (end - begin >= 2 * fewest) {
      auto seen = step_statistic(end - begin, fewest, true).greatest(x.subspan(begin, end - begin));
      seen.split += begin;
      if (seen.height > best.height) best = seen;
    }
    begin = end;
  }
  return best;
}

// A mean that is taken away takes with it what the noise does over about a block and a half.
double hidden_by(std::size_t levels, const rough_noise& noise) {
  const auto n = static_cast<double>(noise.residuals.size());
  const double hidden = 1.5 * static_cast<double>(levels * noise.block);
  return std::sqrt(n / std::max(n / 4, n - hidden));
}

}  // namespace

std::vector<double> without_levels(std::span<const double> x, std::span<const std::size_t> ends) {
  std::vector<double> residuals(x.begin(), x.end());
  std::size_t begin = 0;
  for (const auto end : ends) {
    const auto level = std::span(residuals).subspan(begin, end - begin);
    const double mean = std::accumulate(level.begin(), level.end(), 0.0) /
                        static_cast<double>(std::max<std::size_t>(1, level.size()));
    for (double& v : level) v -= mean;
    begin = end;
  }
  return residuals;
}

double deviation(std::span<const double> residuals) {
  if (residuals.empty()) return 0;
  const double squares = std::inner_product(residuals.begin(), residuals.end(), residuals.begin(), 0.0);
  return std::sqrt(squares / static_cast<double>(residuals.size()));
}

rough_noise rough_noise_of(std::span<const double> x, std::size_t fewest) {
  std::vector<std::size_t> ends{x.size()};
  rough_noise made{.residuals = without_levels(x, ends)};
  const auto most_levels = 1 + std::max<std::size_t>(1, x.size() / observations_for_a_step);
  while (ends.size() < most_levels) {
    const auto next = highest_within(x, ends, fewest);
    if (next.height <= clear * deviation(made.residuals)) break;
    ends.insert(std::ranges::upper_bound(ends, next.split), next.split);
    made.residuals = without_levels(x, ends);
  }
  made.block = resampling_block(made.residuals);
  made.deviation = deviation(made.residuals);
  const double stretch = hidden_by(ends.size(), made);
  for (double& v : made.residuals) v *= stretch;
  return made;
}

}  // namespace ridge::stats
