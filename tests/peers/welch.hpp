// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace ridge::peers {

// Two-sided p of equal means, variances unequal. B. L. Welch, Biometrika 34 (1947). At least two observations
// each.
[[nodiscard]] double welch_p(std::span<const double> a, std::span<const double> b);

}  // namespace ridge::peers
