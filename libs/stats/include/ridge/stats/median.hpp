// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include <ridge/base/expects.hpp>

namespace ridge::stats {

// The middle observation, or the mean of the two middle ones. An empty sample has no median:
// precondition_violated.
[[nodiscard]] double median(std::span<const double> x);

// The same without a copy: leaves x in another order.
[[nodiscard]] double median_in_place(std::span<double> x);

// The observation of rank floor((n-1)/2) + 1 (low) or floor(n/2) + 1 (high): a value that was observed, also
// when n is even. For whole numbers (times, sizes). The sample must not be empty; it is reordered.
template <std::integral T>
[[nodiscard]] T median_low(std::vector<T> x) {
  expects(!x.empty(), "median_low: at least one observation");
  const auto middle = x.begin() + static_cast<std::ptrdiff_t>((x.size() - 1) / 2);
  std::ranges::nth_element(x, middle);
  return *middle;
}
template <std::integral T>
[[nodiscard]] T median_high(std::vector<T> x) {
  expects(!x.empty(), "median_high: at least one observation");
  const auto middle = x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2);
  std::ranges::nth_element(x, middle);
  return *middle;
}

// The median of whole numbers: half way between the two middle ones, rounded down, where their number is
// even. Not empty; reordered.
template <std::integral T>
[[nodiscard]] T median_rounded(std::vector<T> x) {
  const auto high = median_high(x);
  return std::midpoint(median_low(std::move(x)), high);
}

}  // namespace ridge::stats
