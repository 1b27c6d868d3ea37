// SPDX-License-Identifier: Apache-2.0
#include "timeline/median.hpp"

#include <algorithm>
#include <cstddef>

namespace ridge::trace {

std::int64_t median(std::vector<std::int64_t> values, middle of_even) {
  if (values.empty()) return 0;
  const bool even = values.size() % 2 == 0;
  const auto index = (values.size() - (of_even == middle::lower ? 1 : 0)) / 2;
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(index);
  std::ranges::nth_element(values, at);
  if (!even || of_even != middle::between) return *at;
  const auto below = *std::max_element(values.begin(), at);
  return below + (*at - below) / 2;
}

}  // namespace ridge::trace
