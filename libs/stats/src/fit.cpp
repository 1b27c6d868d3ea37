// SPDX-License-Identifier: Apache-2.0
#include <ridge/stats/fit.hpp>

#include <cmath>
#include <vector>

#include <ridge/base/expects.hpp>
#include <ridge/stats/quantile.hpp>
#include <ridge/stats/summary.hpp>

namespace ridge::stats {
namespace {

std::vector<double> logarithms(std::span<const double> values) {
  std::vector<double> logs;
  logs.reserve(values.size());
  for (const double v : values) {
    expects(v > 0, "fit_power_law: values are positive");
    logs.push_back(std::log(v));
  }
  return logs;
}

}  // namespace

line ordinary_least_squares(std::span<const double> x, std::span<const double> y) {
  expects(x.size() == y.size() && x.size() >= 2, "ordinary_least_squares: as many y as x, two or more");
  const double x_mean = mean(x);
  const double y_mean = mean(y);
  double xx = 0;
  double xy = 0;
  double yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - x_mean) * (x[i] - x_mean);
    xy += (x[i] - x_mean) * (y[i] - y_mean);
    yy += (y[i] - y_mean) * (y[i] - y_mean);
  }
  expects(xx > 0, "ordinary_least_squares: x is not constant");
  const double slope = xy / xx;
  return {slope, y_mean - slope * x_mean, yy > 0 ? xy * xy / (xx * yy) : 1};
}

double theil_sen(std::span<const double> x, std::span<const double> y) {
  expects(x.size() == y.size(), "theil_sen: as many y as x");
  std::vector<double> slopes;
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = i + 1; j < x.size(); ++j) {
      if (x[j] < x[i] || x[i] < x[j]) slopes.push_back((y[j] - y[i]) / (x[j] - x[i]));
    }
  }
  expects(!slopes.empty(), "theil_sen: x is not constant");
  return median(slopes);
}

power_law fit_power_law(std::span<const double> x, std::span<const double> y) {
  const auto fit = ordinary_least_squares(logarithms(x), logarithms(y));
  return {std::exp(fit.intercept), fit.slope, fit.r2};
}

}  // namespace ridge::stats
