// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <ridge/trace/steps.hpp>

namespace ridge::trace {

// Two separate groups of step times, divided at the cut with the least squares within the groups. The smaller
// group has at least a fifth of the steps and at least three. They count as two when Ashman's D reaches 3.8 +
// 40/n, which at most some 1 % of uniform, normal, exponential and lognormal samples reach (simulated, n = 8
// to 200; the best cut of any sample has D above the usual limit of 2), and their medians are at least 2 %
// apart. K. Ashman, C. Bird, S. Zepf, Astronomical Journal 108 (1994).
struct two_regimes {
  static constexpr std::size_t fewest_steps = 8;  // least number of steps to decide
  nanoseconds split_ns = 0;                       // the longest step of the fast group
  std::size_t fast_count = 0, slow_count = 0;
  nanoseconds fast_median_ns = 0, slow_median_ns = 0;
  double separation = 0;  // D = sqrt(2) (difference of means) / sqrt(sum of variances)
};

// How steady the given steps are; the caller leaves out steps that should not count.
struct step_stability {
  std::size_t steps = 0;
  nanoseconds min_ns = 0, median_ns = 0, max_ns = 0, mad_ns = 0;  // median: the lower one of an even count
  double mean_ns = 0;
  double stddev_ns = 0;                       // sample deviation
  std::optional<double> first_over_median{};  // the first step divided by the median of the others
  std::optional<two_regimes> bimodal{};       // nullopt: one regime, or too few steps to decide
  std::vector<std::size_t> outliers{};        // indices of steps beyond Tukey's outer fences

  // Coefficient of variation of the step times.
  [[nodiscard]] double cov() const { return mean_ns > 0 ? stddev_ns / mean_ns : 0; }
};

// Returns the stability of step lengths in nanoseconds, given in the order of time.
[[nodiscard]] step_stability stability_of(std::span<const nanoseconds> lengths);
// Returns the stability of the steps' windows.
[[nodiscard]] step_stability stability_of(std::span<const step> steps);

}  // namespace ridge::trace
