// SPDX-License-Identifier: Apache-2.0
#include "timeline/robust_z.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace ridge::trace {

std::int64_t middle_of(std::vector<std::int64_t> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  if (values.size() % 2 == 1) return *middle;
  const auto below = *std::max_element(values.begin(), middle);
  return below + (*middle - below) / 2;
}

std::vector<double> robust_z(const std::vector<std::int64_t>& values) {
  const auto median = middle_of(values);
  std::vector<std::int64_t> deviations;
  for (const auto v : values) deviations.push_back(std::abs(v - median));
  const auto mad = static_cast<double>(middle_of(deviations));
  const auto sum = std::reduce(deviations.begin(), deviations.end());
  const auto mean = static_cast<double>(sum) / static_cast<double>(values.size());
  const auto scale = mad > 0 ? mad / 0.6745 : 1.253314 * mean;
  std::vector<double> z;
  for (const auto v : values) z.push_back(scale > 0 ? static_cast<double>(v - median) / scale : 0);
  return z;
}

}  // namespace ridge::trace
