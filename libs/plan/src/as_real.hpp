// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ridge::plan {

// Converts a count for use in formulas. Counts above 2^53 lose their last digits.
[[nodiscard]] constexpr double as_real(std::int64_t count) { return static_cast<double>(count); }

}  // namespace ridge::plan
