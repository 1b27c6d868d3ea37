// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace ridge::stats {

// All functions take observations in the order of time.

// Returns the correlation of x with itself `lag` observations later, taken about the mean and divided by the
// variance of all of x; 0 when x is constant or not longer than the lag.
[[nodiscard]] double autocorrelation(std::span<const double> x, std::size_t lag);

// Returns the autocorrelation of the signs of x - median(x): the sign test rests on these signs, and outliers
// cannot hide their dependence.
[[nodiscard]] double sign_autocorrelation(std::span<const double> x, std::size_t lag);

// Returns whether neighbours correlate, in value or in sign: ρ1 > 0.1 and ρ1 > 2/√N. About 4 % of independent
// samples are called dependent. Use an interval on block medians for dependent observations.
[[nodiscard]] bool dependent(std::span<const double> x);

// Returns ⌈n^(1/3)⌉, the block length with which blocks of a short-memory series become independent at the
// best rate.
[[nodiscard]] std::size_t block_length(std::size_t n);

// Returns the medians of consecutive blocks of `length` observations. The last block takes the remainder too,
// so that every observation counts; there is one block when there are fewer than two lengths.
[[nodiscard]] std::vector<double> block_medians(std::span<const double> x, std::size_t length);

// The medians of both halves of a series, and whether they agree.
struct split_half {
  bool agree = true;  // also when the halves are too short for an interval
  double first = 0;
  double second = 0;
};

// Looks for drift: the halves agree when the median of each lies in the sign interval of the other at
// confidence 1 - alpha. Both medians vary, so steady data disagree more often than alpha: 200 observations do
// about 20 % of the time at 0.05, and 7 % at 0.005. x needs at least two observations.
[[nodiscard]] split_half split_half_check(std::span<const double> x, double alpha);

}  // namespace ridge::stats
