// SPDX-License-Identifier: Apache-2.0
#include "welch.hpp"

#include <cmath>
#include <numeric>
#include <vector>

#include <ridge/stats/special.hpp>

#include "rule.hpp"
#include "stopwatch.hpp"

namespace ridge::peers {
namespace {

constexpr std::size_t observations = 30;

double mean(std::span<const double> x) {
  return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
}

// Returns the squared standard error of the mean, s^2 / n.
double squared_error(std::span<const double> x) {
  double sum = 0;
  for (const double value : x) sum += (value - mean(x)) * (value - mean(x));
  return sum / static_cast<double>(x.size() - 1) / static_cast<double>(x.size());
}

}  // namespace

double welch_p(std::span<const double> a, std::span<const double> b) {
  const double ea = squared_error(a), eb = squared_error(b);
  if (ea + eb == 0) return mean(a) == mean(b) ? 1 : 0;
  const double t = std::abs(mean(a) - mean(b)) / std::sqrt(ea + eb);
  const double freedom =
      (ea + eb) * (ea + eb) /
      (ea * ea / static_cast<double>(a.size() - 1) + eb * eb / static_cast<double>(b.size() - 1));
  return 2 * stats::student_t_cdf(-t, freedom);
}

// Takes thirty observations of one arm, then thirty of the other, as a statistics course teaches.
outcome welch(workload& subject, double budget_s) {
  const auto calls = calls_for(subject, budget_s / (2 * observations));
  const auto a = samples(subject, observations, calls), b = samples(subject, observations, calls);
  return {welch_p(a, b) < 0.05, mean(a) / mean(b)};
}

}  // namespace ridge::peers
