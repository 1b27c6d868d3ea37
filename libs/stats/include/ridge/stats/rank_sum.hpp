// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

namespace ridge::stats {

// With fewer observations on a side the normal approximation of rank_sum_p() is too coarse.
inline constexpr std::size_t least_ranked = 8;

// Returns the p-value of the two-sided rank-sum test of "x and y are drawn from one distribution", by the
// normal approximation with the correction for ties and for continuity; 1 where all observations are equal.
// Observations are independent and finite, at least `least_ranked` on each side: throws precondition_violated
// for fewer. H. B. Mann & D. R. Whitney, Annals of Mathematical Statistics 18 (1947).
[[nodiscard]] double rank_sum_p(std::span<const double> x, std::span<const double> y);

}  // namespace ridge::stats
