// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace ridge::peers {

// Returns the two-sided p of the Mann-Whitney U test by the normal approximation with corrections for ties
// and continuity, as scipy.stats.mannwhitneyu (and with it Google Benchmark's compare.py) computes it above
// eight observations each. H. B. Mann & D. R. Whitney, Annals of Mathematical Statistics 18 (1947). Neither
// sample may be empty.
[[nodiscard]] double mann_whitney_p(std::span<const double> a, std::span<const double> b);

}  // namespace ridge::peers
