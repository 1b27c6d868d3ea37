// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace ridge::stats {

// What a series is without its clearest steps.
struct rough_noise {
  std::vector<double> residuals{};  // stretched by as much as the levels that were taken away hid of them
  double deviation = 0;             // of the residuals before they were stretched
  std::size_t block = 1;            // of residuals that stay together when they are drawn again
};

// Takes steps away as long as each stands out from what is left, but no more than one for 30 observations, at
// least one: more of them would take dependent noise for levels. A level has at least `fewest` observations.
[[nodiscard]] rough_noise rough_noise_of(std::span<const double> x, std::size_t fewest);

// Returns the observations less the mean of the level that each belongs to. Levels follow each other; `ends`
// holds the index after the last observation of each, ascending, and x.size() last.
[[nodiscard]] std::vector<double> without_levels(std::span<const double> x,
                                                 std::span<const std::size_t> ends);

// Returns the square root of the mean square of residuals; 0 for none.
[[nodiscard]] double deviation(std::span<const double> residuals);

}  // namespace ridge::stats
