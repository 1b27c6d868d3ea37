// SPDX-License-Identifier: Apache-2.0
#include "correlation.hpp"

#include <cmath>

#include <ridge/stats/summary.hpp>

namespace ridge::plan::serve {

double correlation(std::span<const double> x, std::span<const double> y) {
  if (x.empty()) return 0;
  const double mean_x = stats::mean(x), mean_y = stats::mean(y);
  double xx = 0, yy = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    yy += (y[i] - mean_y) * (y[i] - mean_y);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
  }
  return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : 0;
}

}  // namespace ridge::plan::serve
