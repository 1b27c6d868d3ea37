// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace ridge::peers {

// Returns the two-sided p of equal means with unequal variances (B. L. Welch, Biometrika 34, 1947). Each
// sample needs at least two observations.
[[nodiscard]] double welch_p(std::span<const double> a, std::span<const double> b);

}  // namespace ridge::peers
