// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <ridge/trace/steps.hpp>

namespace ridge::trace {

// Two groups of step times that are told apart.
struct two_regimes {
  nanoseconds split_ns = 0;  // steps of at most this length are of the fast group
  std::size_t fast_count = 0, slow_count = 0;
  nanoseconds fast_median_ns = 0, slow_median_ns = 0;
  double separation = 0;  // Ashman's D: |difference of means| sqrt(2) / sqrt(sum of variances)
};

// How steady steps are. Times of the steps as given; the caller leaves out what should not count.
struct step_stability {
  std::size_t steps = 0;
  nanoseconds min_ns = 0, median_ns = 0, max_ns = 0, mad_ns = 0;  // median: the lower one of an even count
  double mean_ns = 0;
  double stddev_ns = 0;                       // of a sample
  std::optional<double> first_over_median{};  // the first step against the median of the others
  std::optional<two_regimes> bimodal{};       // empty: one regime, or too few steps to tell (8)
  std::vector<std::size_t> outliers{};        // indices of steps beyond Tukey's outer fences

  [[nodiscard]] double cov() const { return mean_ns > 0 ? stddev_ns / mean_ns : 0; }
};

// Step lengths in the order of time.
[[nodiscard]] step_stability stability_of(std::span<const nanoseconds> lengths);
[[nodiscard]] step_stability stability_of(std::span<const step> steps);

}  // namespace ridge::trace
