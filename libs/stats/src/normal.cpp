// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numbers>

#include <ridge/base/expects.hpp>
#include <ridge/stats/special.hpp>

namespace ridge::stats {
namespace {

double density(double z) { return std::exp(-0.5 * z * z) / std::sqrt(2 * std::numbers::pi); }

// Returns a guess with an absolute error below 4.5e-4 for 0 < p <= 1/2, which two cubic steps reduce below
// one ulp.
double first_guess(double p) {
  const double t = std::sqrt(-2 * std::log(p));
  return (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) -
         t;
}

double lower_quantile(double p) {
  double z = first_guess(p);
  for (int step = 0; step < 3; ++step) {
    const double error = (normal_cdf(z) - p) / density(z);
    z -= error / (1 + 0.5 * z * error);
  }
  return z;
}

}  // namespace

double normal_cdf(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

double normal_quantile(double p) {
  expects(p > 0 && p < 1, "normal_quantile: p lies strictly between 0 and 1");
  return p <= 0.5 ? lower_quantile(p) : -lower_quantile(1 - p);
}

}  // namespace ridge::stats
