// SPDX-License-Identifier: Apache-2.0
#include <ridge/stats/median.hpp>

namespace ridge::stats {

double median(std::span<const double> x) {
  std::vector<double> copy(x.begin(), x.end());
  return median_in_place(copy);
}

double median_in_place(std::span<double> x) {
  expects(!x.empty(), "median: at least one observation");
  const auto middle = x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2);
  std::ranges::nth_element(x, middle);
  return x.size() % 2 == 1 ? *middle : (*std::max_element(x.begin(), middle) + *middle) / 2;
}

}  // namespace ridge::stats
