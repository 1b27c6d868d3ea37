// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numbers>
#include <utility>

#include <ridge/base/expects.hpp>
#include <ridge/stats/special.hpp>

namespace ridge::stats {
namespace {

// std::lgamma writes the global signgam; this function does not.
double log_gamma(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}

double away_from_zero(double x) { return std::fabs(x) < 1e-300 ? 1e-300 : x; }

// Lentz's evaluation; converges fast for x < (a+1)/(a+b+2).
double continued_fraction(double a, double b, double x) {
  double c = 1;
  double d = 1 / away_from_zero(1 - (a + b) * x / (a + 1));
  double value = d;
  for (int m = 1; m < 10000; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    double change = 1;
    for (const double term : {even, odd}) {
      d = 1 / away_from_zero(1 + term * d);
      c = away_from_zero(1 + term / c);
      change = d * c;
      value *= change;
    }
    if (std::fabs(change - 1) < 1e-15) break;
  }
  return value;
}

// lgamma(x) minus Stirling's formula, DLMF 5.11.1: below 1e-17 from the truth for x >= 16.
double stirling_error(double x) {
  const double xx = x * x;
  return (1.0 / 12 - (1.0 / 360 - (1.0 / 1260 - (1.0 / 1680 - 1.0 / 1188 / xx) / xx) / xx) / xx) / x;
}

// Returns I_x(a, b) for y = 1 - x; both are given as exactly as the caller knows them, since near 1 only the
// other one has the digits.
double beta_share(double a, double b, double x, double y) {
  if (x > (a + 1) / (a + b + 2)) return 1 - beta_share(b, a, y, x);
  const double log_x = x > 0.5 ? std::log1p(-y) : std::log(x), log_y = y > 0.5 ? std::log1p(-x) : std::log(y);
  return std::exp(a * log_x + b * log_y - log_beta(a, b)) / a * continued_fraction(a, b, x);
}

double density(double t, double freedom) {
  const double scale = -log_beta(0.5, freedom / 2) - 0.5 * std::log(freedom);
  return std::exp(scale - (freedom + 1) / 2 * std::log1p(t * t / freedom));
}

}  // namespace

double log_beta(double a, double b) {
  if (a > b) std::swap(a, b);
  if (b < 16) return log_gamma(a) + log_gamma(b) - log_gamma(a + b);
  const double tail = stirling_error(b) - stirling_error(a + b);
  if (a < 16) return log_gamma(a) - (b - 0.5) * std::log1p(a / b) - a * std::log(a + b) + a + tail;
  return 0.5 * std::log(2 * std::numbers::pi / a) - a * std::log1p(b / a) - (b - 0.5) * std::log1p(a / b) +
         stirling_error(a) + tail;
}

double incomplete_beta(double a, double b, double x) {
  expects(a > 0 && b > 0 && x >= 0 && x <= 1,
          "incomplete_beta: a and b are positive, x lies between 0 and 1");
  if (x == 0 || x == 1) return x;
  return beta_share(a, b, x, 1 - x);
}

double student_t_cdf(double t, double freedom) {
  expects(freedom > 0, "student_t_cdf: degrees of freedom are positive");
  const double tail =
      t == 0 ? 0.5
             : 0.5 * beta_share(freedom / 2, 0.5, freedom / (freedom + t * t), t * t / (freedom + t * t));
  return t < 0 ? tail : 1 - tail;
}

double student_t_quantile(double p, double freedom) {
  expects(p > 0 && p < 1 && freedom > 0, "student_t_quantile: 0 < p < 1 and positive degrees of freedom");
  if (p > 0.5) return -student_t_quantile(1 - p, freedom);
  if (p == 0.5) return 0;
  double lo = -1;
  while (student_t_cdf(lo, freedom) > p) lo *= 2;
  double hi = lo == -1 ? 0 : lo / 2;
  double t = (lo + hi) / 2;
  for (int step = 0; step < 200 && hi - lo > 1e-15 * -lo; ++step) {
    const double error = student_t_cdf(t, freedom) - p;
    (error > 0 ? hi : lo) = t;
    const double newton = t - error / density(t, freedom);
    const double next = newton > lo && newton < hi ? newton : (lo + hi) / 2;
    if (next == t) break;
    t = next;
  }
  return t;
}

}  // namespace ridge::stats
