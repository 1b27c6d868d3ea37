// SPDX-License-Identifier: Apache-2.0
#include "block_resampling.hpp"

#include <algorithm>
#include <cmath>

#include <ridge/stats/dependence.hpp>

namespace ridge::stats {

std::size_t resampling_block(std::span<const double> residuals) {
  const auto n = static_cast<double>(residuals.size());
  const double rho = std::min(autocorrelation(residuals, 1), 0.98);
  if (residuals.size() < 8 || rho < 2 / std::sqrt(n)) return 1;
  const double length = std::pow(2 * rho / (1 - rho * rho), 2.0 / 3) * std::cbrt(n);
  return std::clamp<std::size_t>(static_cast<std::size_t>(std::lround(length)), 2, residuals.size() / 4);
}

void draw_blocks(std::span<const double> x, std::size_t block, splitmix_generator& random,
                 std::span<double> drawn) {
  const auto places = x.size() - block + 1;
  for (std::size_t filled = 0; filled < drawn.size();) {
    const auto place = random.below(places);
    const auto end = std::min(filled + block, drawn.size());
    for (auto source = place; filled < end; ++filled, ++source) drawn[filled] = x[source];
  }
}

}  // namespace ridge::stats
