// SPDX-License-Identifier: Apache-2.0
#include "timeline/integer_median.hpp"

#include <utility>

#include <ridge/stats/median.hpp>

namespace ridge::trace {

std::int64_t median(std::vector<std::int64_t> values, middle of_even) {
  if (values.empty()) return 0;
  if (of_even == middle::lower) return stats::median_low(std::move(values));
  if (of_even == middle::upper) return stats::median_high(std::move(values));
  return stats::median_rounded(std::move(values));
}

}  // namespace ridge::trace
