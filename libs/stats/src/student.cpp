// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <ridge/base/expects.hpp>
#include <ridge/stats/special.hpp>

namespace ridge::stats {
namespace {

// std::lgamma writes the global signgam; this one does not.
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

double density(double t, double freedom) {
  const double scale = -log_beta(0.5, freedom / 2) - 0.5 * std::log(freedom);
  return std::exp(scale - (freedom + 1) / 2 * std::log1p(t * t / freedom));
}

}  // namespace

double log_beta(double a, double b) { return log_gamma(a) + log_gamma(b) - log_gamma(a + b); }

double incomplete_beta(double a, double b, double x) {
  expects(a > 0 && b > 0 && x >= 0 && x <= 1,
          "incomplete_beta: a and b are positive, x lies between 0 and 1");
  if (x == 0 || x == 1) return x;
  if (x > (a + 1) / (a + b + 2)) return 1 - incomplete_beta(b, a, 1 - x);
  return std::exp(a * std::log(x) + b * std::log1p(-x) - log_beta(a, b)) / a * continued_fraction(a, b, x);
}

double student_t_cdf(double t, double freedom) {
  expects(freedom > 0, "student_t_cdf: degrees of freedom are positive");
  const double tail = 0.5 * incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t));
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
