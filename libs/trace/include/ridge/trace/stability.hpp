// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <ridge/trace/steps.hpp>

namespace ridge::trace {

// Two groups of step times that are told apart: the cut with the least squares within the groups, the smaller
// of at least a fifth of the steps and three. They count as two when Ashman's D reaches 3.8 + 40/n, which at
// most some 1 % of uniform, normal, exponential and lognormal samples reach (simulated, n = 8 to 200; the
// best cut of any sample has D above the usual limit of 2), and their medians are at least 2 % apart.
// K. Ashman, C. Bird, S. Zepf, Astronomical Journal 108 (1994).
struct two_regimes {
  static constexpr std::size_t fewest_steps = 8;  // to tell
  nanoseconds split_ns = 0;                       // the longest step of the fast group
  std::size_t fast_count = 0, slow_count = 0;
  nanoseconds fast_median_ns = 0, slow_median_ns = 0;
  double separation = 0;  // D = sqrt(2) (difference of means) / sqrt(sum of variances)
};

// How steady steps are. Times of the steps as given; the caller leaves out what should not count.
struct step_stability {
  std::size_t steps = 0;
  nanoseconds min_ns = 0, median_ns = 0, max_ns = 0, mad_ns = 0;  // median: the lower one of an even count
  double mean_ns = 0;
  double stddev_ns = 0;                       // of a sample
  std::optional<double> first_over_median{};  // the first step against the median of the others
  std::optional<two_regimes> bimodal{};       // empty: one regime, or too few steps to tell
  std::vector<std::size_t> outliers{};        // indices of steps beyond Tukey's outer fences

  [[nodiscard]] double cov() const { return mean_ns > 0 ? stddev_ns / mean_ns : 0; }
};

// Step lengths in the order of time.
[[nodiscard]] step_stability stability_of(std::span<const nanoseconds> lengths);
[[nodiscard]] step_stability stability_of(std::span<const step> steps);

}  // namespace ridge::trace
