// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numbers>

#include <ridge/base/expects.hpp>
#include <ridge/stats/special.hpp>

namespace ridge::stats {
namespace {

double real(std::size_t n) { return static_cast<double>(n); }

// Returns log(n!) minus Stirling's formula.
double stirling_error(std::size_t n) {
  if (n < 16) {
    double factorial = 1;
    for (std::size_t i = 2; i <= n; ++i) factorial *= real(i);
    return n == 0 ? 0
                  : std::log(factorial) - (real(n) + 0.5) * std::log(real(n)) + real(n) -
                        0.5 * std::log(2 * std::numbers::pi);
  }
  const double x = real(n);
  const double xx = x * x;
  return (1.0 / 12 - (1.0 / 360 - (1.0 / 1260 - (1.0 / 1680 - 1.0 / 1188 / xx) / xx) / xx) / xx) / x;
}

// Returns x log(x/m) + m - x without the cancellation of its terms when x is near m.
double deviance(double x, double m) {
  const double difference = x - m;
  if (std::fabs(difference) >= 0.1 * (x + m)) return x * std::log(x / m) - difference;
  const double v = difference / (x + m);
  double sum = difference * v;
  double power = 2 * x * v;
  for (int j = 3;; j += 2) {
    power *= v * v;
    const double next = sum + power / j;
    if (next == sum) return sum;
    sum = next;
  }
}

// Returns P(X <= k) for k below the mean: terms fall towards 0, so the sum ends where they no longer count.
double lower_tail(std::size_t k, std::size_t n, double p) {
  double term = binomial_pmf(k, n, p);
  double sum = term;
  for (std::size_t i = k; i > 0 && term > sum * 1e-17; --i) {
    term *= real(i) * (1 - p) / (real(n - i + 1) * p);
    sum += term;
  }
  return sum;
}

}  // namespace

double binomial_pmf(std::size_t k, std::size_t n, double p) {
  expects(p >= 0 && p <= 1, "binomial_pmf: p lies between 0 and 1");
  if (k > n) return 0;
  if (p == 0) return k == 0 ? 1 : 0;
  if (p == 1) return k == n ? 1 : 0;
  if (k == 0) return std::exp(real(n) * std::log1p(-p));
  if (k == n) return std::exp(real(n) * std::log(p));
  const double correction = stirling_error(n) - stirling_error(k) - stirling_error(n - k);
  const double exponent =
      correction - deviance(real(k), real(n) * p) - deviance(real(n - k), real(n) * (1 - p));
  return std::exp(exponent) * std::sqrt(real(n) / (2 * std::numbers::pi * real(k) * real(n - k)));
}

double binomial_cdf(std::size_t k, std::size_t n, double p) {
  expects(p >= 0 && p <= 1, "binomial_cdf: p lies between 0 and 1");
  if (k >= n) return 1;
  if (p == 0) return 1;
  if (p == 1) return 0;
  return real(k) <= real(n) * p ? lower_tail(k, n, p) : 1 - lower_tail(n - k - 1, n, 1 - p);
}

}  // namespace ridge::stats
