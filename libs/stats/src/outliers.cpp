// SPDX-License-Identifier: Apache-2.0
#include <ridge/stats/outliers.hpp>

#include <ridge/stats/summary.hpp>

namespace ridge::stats {

fences tukey_fences(std::span<const double> x) {
  const auto summary = summarize(x);
  const double range = summary.upper_quartile - summary.lower_quartile;
  const auto widened = [&](double ranges) {
    return interval{summary.lower_quartile - ranges * range, summary.upper_quartile + ranges * range};
  };
  return {widened(1.5), widened(3)};
}

outliers count_outliers(std::span<const double> x) {
  const auto fence = tukey_fences(x);
  outliers found;
  for (const double v : x) {
    if (fence.inner.contains(v)) continue;
    ++(fence.outer.contains(v) ? found.mild : found.severe);
  }
  return found;
}

}  // namespace ridge::stats
