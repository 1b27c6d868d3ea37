// SPDX-License-Identifier: Apache-2.0
#include "timeline/robust_z.hpp"

#include <cstdlib>
#include <numeric>

#include "timeline/integer_median.hpp"

namespace ridge::trace {

std::vector<double> robust_z(const std::vector<std::int64_t>& values) {
  const auto centre = median(values, middle::between);
  std::vector<std::int64_t> deviations;
  for (const auto v : values) deviations.push_back(std::abs(v - centre));
  const auto mad = static_cast<double>(median(deviations, middle::between));
  const auto sum = std::reduce(deviations.begin(), deviations.end());
  const auto mean = static_cast<double>(sum) / static_cast<double>(values.size());
  const auto scale = mad > 0 ? mad / 0.6745 : 1.253314 * mean;
  std::vector<double> z;
  for (const auto v : values) z.push_back(scale > 0 ? static_cast<double>(v - centre) / scale : 0);
  return z;
}

}  // namespace ridge::trace
