// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace ridge::stats {

// P(Z < z) for a standard normal Z; keeps relative precision in the lower tail.
[[nodiscard]] double normal_cdf(double z);

// The z with P(Z < z) = p, 0 < p < 1: Abramowitz & Stegun 26.2.23, then Halley steps to full precision.
[[nodiscard]] double normal_quantile(double p);

// P(X = k) for X ~ Bin(n, p): saddle-point form of C. Loader, "Fast and accurate computation of binomial
// probabilities" (2000); relative error near 1e-14 up to n = 1e6 and beyond.
[[nodiscard]] double binomial_pmf(std::size_t k, std::size_t n, double p);

// P(X <= k), summed from the largest term of the nearer tail. The upper tail P(X >= k) keeps its precision
// as binomial_cdf(n - k, n, 1 - p).
[[nodiscard]] double binomial_cdf(std::size_t k, std::size_t n, double p);

// Regularized incomplete beta function I_x(a, b), by the continued fraction of DLMF 8.17.22.
[[nodiscard]] double incomplete_beta(double a, double b, double x);

// P(T < t) and its inverse (0 < p < 1) for Student's T with `freedom` > 0 degrees of freedom, not necessarily
// whole.
[[nodiscard]] double student_t_cdf(double t, double freedom);
[[nodiscard]] double student_t_quantile(double p, double freedom);

// Natural logarithm of the beta function for a, b > 0, relative error near 1e-15: from 16 on by the
// difference of Stirling series, where that of log gammas would cancel. Safe to call from several threads.
[[nodiscard]] double log_beta(double a, double b);

}  // namespace ridge::stats
