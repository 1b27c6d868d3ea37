// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include <ridge/base/interval.hpp>

namespace ridge::stats {

// Returns the largest rank k (from 1) with 2·P(Bin(n,½) < k) <= alpha, so that [x_(k), x_(n+1-k)] holds the
// median of independent observations with probability >= 1 - alpha, whatever their distribution; 0 when n is
// too small. Ties make the interval conservative. W. R. Thompson, Annals of Mathematical Statistics 7 (1936).
[[nodiscard]] std::size_t sign_rank(std::size_t n, double alpha);

// Returns 1 - 2·P(Bin(n,½) < k), the confidence of [x_(k), x_(n+1-k)]; 1 for k = 0, which stands for the
// whole line.
[[nodiscard]] double rank_confidence(std::size_t n, std::size_t k);

// Returns [x_(k), x_(n+1-k)] of ascending values, for 1 <= k <= (n+1)/2; the whole line for k = 0.
[[nodiscard]] interval order_interval(std::span<const double> sorted, std::size_t k);

// Returns the p-value of the exact two-sided sign test of "the median is `null`"; observations equal to
// `null` carry no information and are left out.
[[nodiscard]] double sign_test_p(std::span<const double> x, double null = 0);

// Returns the median of the means of all pairs x_i, x_j with i <= j, exactly and in O(n log n): the pair sums
// form a matrix with sorted rows and columns, whose median is found by bisection over the representable
// numbers, where each step counts in O(n). Hodges & Lehmann, Annals of Mathematical Statistics 34 (1963). x
// is finite and not empty.
[[nodiscard]] double hodges_lehmann(std::span<const double> x);

}  // namespace ridge::stats
