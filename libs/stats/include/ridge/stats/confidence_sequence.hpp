// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace ridge::stats {

// Returns the rank k of an interval [x_(k), x_(n+1-k)] for the median that may be looked at after every
// observation, for ever: the probability that the interval excludes the median at any n is at most alpha.
// Returns 0 while there is no such interval (n < 14 at alpha = 0.05).
//
// With S_n of n signs positive, M_n = 2^n B(S_n + r, n - S_n + r) / B(r, r) is the likelihood ratio of a
// Beta(r, r) mixture of biased coins against the fair one, a martingale that starts at 1; Ville's inequality
// bounds P(M_n >= 1/alpha for some n) by alpha. k is the largest rank whose exclusion implies M_n >= 1/alpha.
// r = 8 suits some hundred observations: the interval is 1.43, 1.50, 1.61 and 1.96 times as wide as that of a
// single look at n = 50, 200, 1000 and 100 000. Source: H. Robbins, Annals of Mathematical Statistics 41
// (1970); Howard, Ramdas, McAuliffe & Sekhon, "Time-uniform, nonparametric, nonasymptotic confidence
// sequences", Annals of Statistics 49 (2021), beta-binomial mixture; for quantiles: Howard & Ramdas,
// Bernoulli 28 (2022).
[[nodiscard]] std::size_t anytime_rank(std::size_t n, double alpha);

}  // namespace ridge::stats
