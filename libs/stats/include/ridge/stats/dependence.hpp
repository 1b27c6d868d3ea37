// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace ridge::stats {

// All functions take observations in the order of time.

// Correlation of x with itself `lag` observations later, about the mean, divided by the whole variance; 0
// when x is constant or not longer than the lag.
[[nodiscard]] double autocorrelation(std::span<const double> x, std::size_t lag);

// The same of the signs of x - median(x), which is what the sign test stands on and what outliers cannot
// hide.
[[nodiscard]] double sign_autocorrelation(std::span<const double> x, std::size_t lag);

// Neighbours correlate, in value or in sign: ρ1 > 0.1 and ρ1 > 2/√N. Independent observations are called
// dependent in about 4 % of cases. The cure is an interval on block medians.
[[nodiscard]] bool dependent(std::span<const double> x);

// ⌈n^(1/3)⌉, the block length with which blocks of a short-memory series become independent at the best rate.
[[nodiscard]] std::size_t block_length(std::size_t n);

// Medians of consecutive blocks of `length` observations; the last block takes the remainder too, so that
// every observation counts. One block when there are fewer than two lengths.
[[nodiscard]] std::vector<double> block_medians(std::span<const double> x, std::size_t length);

struct split_half {
  bool agree = true;  // also when the halves are too short for an interval
  double first = 0;
  double second = 0;
};

// Drift: each half's median should lie in the other half's sign interval of confidence 1 - alpha. Both
// medians vary, so steady data disagree more often than alpha: of 200 observations some 20 % of the time at
// 0.05, 7 % at 0.005. At least two observations.
[[nodiscard]] split_half split_half_check(std::span<const double> x, double alpha);

}  // namespace ridge::stats
