// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace ridge::harness {

// The values that a ratio and its interval are computed from: the log ratios `x` themselves, or medians of
// blocks of them where neighbours depend on each other and twelve blocks at least remain.
struct independent_values {
  std::vector<double> values{};
  std::size_t block_length = 1;
};
// The values for log ratios in the order of time; empty for none.
[[nodiscard]] independent_values independent_values_of(std::span<const double> x);

}  // namespace ridge::harness
