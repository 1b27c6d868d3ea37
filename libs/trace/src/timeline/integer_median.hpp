// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace ridge::trace {

// Which value is the median of an even number of values.
enum class middle : std::uint8_t {
  lower,    // the lower of the two in the middle: a value that was measured
  between,  // their mean, rounded down
  upper,    // the upper of the two
};

// Returns the median of integers as ridge::stats computes it; 0 where there are no values.
[[nodiscard]] std::int64_t median(std::vector<std::int64_t> values, middle of_even);

}  // namespace ridge::trace
