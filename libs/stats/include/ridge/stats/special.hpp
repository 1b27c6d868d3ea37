// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace ridge::stats {

// Returns P(Z < z) for a standard normal Z; keeps its relative precision in the lower tail.
[[nodiscard]] double normal_cdf(double z);

// Returns the z with P(Z < z) = p for 0 < p < 1, by Abramowitz & Stegun 26.2.23 and then Halley steps to full
// precision.
[[nodiscard]] double normal_quantile(double p);

// Returns P(X = k) for X ~ Bin(n, p), by the saddle-point form of C. Loader, "Fast and accurate computation
// of binomial probabilities" (2000); the relative error is near 1e-14 up to n = 1e6 and beyond.
[[nodiscard]] double binomial_pmf(std::size_t k, std::size_t n, double p);

// Returns P(X <= k) for X ~ Bin(n, p), summed from the largest term of the nearer tail. Write the upper tail
// P(X >= k) as binomial_cdf(n - k, n, 1 - p) to keep its precision.
[[nodiscard]] double binomial_cdf(std::size_t k, std::size_t n, double p);

// Returns the regularized incomplete beta function I_x(a, b), by the continued fraction of DLMF 8.17.22.
[[nodiscard]] double incomplete_beta(double a, double b, double x);

// Return P(T < t) and its inverse (0 < p < 1) for Student's T with `freedom` > 0 degrees of freedom, which
// need not be whole.
[[nodiscard]] double student_t_cdf(double t, double freedom);
[[nodiscard]] double student_t_quantile(double p, double freedom);

// Returns the natural logarithm of the beta function for a, b > 0 with a relative error near 1e-15; from 16
// on it uses the difference of Stirling series, since a difference of log gammas would cancel. Safe to call
// from several threads.
[[nodiscard]] double log_beta(double a, double b);

}  // namespace ridge::stats
