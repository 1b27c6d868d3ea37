// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <ridge/base/interval.hpp>

// Where the level of a series changes. All functions take finite observations in the order of time. The same
// observations, rules and seed give the same answer on every machine.
namespace ridge::stats {

// What counts as a change.
struct change_rules {
  double alpha = 0.001;          // greatest p of a change
  double min_effect = 0.01;      // smallest relative difference of the medians before and after, above 0
  std::size_t fewest = 3;        // observations that a change needs on either side, at least 2
  std::size_t resamples = 1999;  // no p is below 1 / (resamples + 1)
  std::uint64_t seed = 0;        // take a hash of the name of the series
};

// A change of level.
struct change_point {
  std::size_t index = 0;  // of the first observation of the new level
  double before = 0;      // median from the change before it to this one
  double after = 0;       // median from this one to the next change
  double p = 1;           // how often unchanging noise of the same kind shows as clear a step anywhere in the
                          // part that was searched
};

// What a search found.
struct change_scan {
  std::vector<change_point> changes{};  // by index
  std::vector<double> tested{};         // p of every test that was made, those that found nothing included
};

// Searches a series for changes of its level, each part between two changes again. The statistic is the
// greatest standardised difference of neighbouring means, over the whole part and, where the noise is
// independent, over halves, quarters and so on of it, which finds what came and went. Its p-value compares it
// with the same maximum over resampled residuals, in blocks as long as their dependence lasts, so that
// looking everywhere is paid for. Single observations are clipped to their neighbours before. A series with
// fewer than 2 * fewest + 2 observations has no change that could be told.
[[nodiscard]] change_scan find_changes(std::span<const double> x, const change_rules& rules = {});

// Returns the number of resamples with which one change can be found among this many tests: the smallest p is
// then a tenth of what Benjamini-Hochberg asks of the only discovery at `false_share`. At least 1999, at most
// 99 999.
[[nodiscard]] std::size_t resamples_for(std::size_t tests, double false_share);

// Returns the interval of median(after) / median(before) by the percentile bootstrap with 1999 draws, in
// blocks as long as the dependence of each side lasts. Below about ten observations a side it is too narrow.
// Both sides hold at least one observation, all positive.
[[nodiscard]] interval level_ratio_interval(std::span<const double> before, std::span<const double> after,
                                            double level, std::uint64_t seed);

// Returns |after / before - 1|; 0 for equal levels of 0, infinity where only `before` is 0.
[[nodiscard]] double relative_step(double before, double after);

// Returns the observations with single spikes pulled in: each is clipped to 2.5 standard deviations about the
// median of itself and its two neighbours on either side. The deviation is estimated from successive
// differences, which a change of level hardly moves.
[[nodiscard]] std::vector<double> clipped_to_neighbours(std::span<const double> x);

}  // namespace ridge::stats
