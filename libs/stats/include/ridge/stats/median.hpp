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

// Returns the middle observation, or the mean of the two middle ones. Throws precondition_violated for an
// empty sample.
[[nodiscard]] double median(std::span<const double> x);

// Returns the same without a copy; it leaves x in another order.
[[nodiscard]] double median_in_place(std::span<double> x);

// Returns the median of whole numbers (times, sizes); when n is even, the lower of the two middle ones, so
// that the result was observed. The sample must not be empty.
template <std::integral T>
[[nodiscard]] T median_low(std::vector<T> x) {
  expects(!x.empty(), "median_low: at least one observation");
  const auto middle = x.begin() + static_cast<std::ptrdiff_t>((x.size() - 1) / 2);
  std::ranges::nth_element(x, middle);
  return *middle;
}

// Returns the higher of the two middle ones when n is even; the same contract as median_low otherwise.
template <std::integral T>
[[nodiscard]] T median_high(std::vector<T> x) {
  expects(!x.empty(), "median_high: at least one observation");
  const auto middle = x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2);
  std::ranges::nth_element(x, middle);
  return *middle;
}

// Returns the median of whole numbers; when n is even, the midpoint of the two middle ones, rounded towards
// the lower. The sample must not be empty.
template <std::integral T>
[[nodiscard]] T median_rounded(std::vector<T> x) {
  const auto high = median_high(x);
  return std::midpoint(median_low(std::move(x)), high);
}

}  // namespace ridge::stats
