// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include <ridge/base/interval.hpp>

namespace ridge::stats {

// Repetition at the level of processes (forks), whose memory layouts differ: the median of each fork is one
// observation. Kalibera & Jones, "Rigorous benchmarking in reasonable time", ISMM 2013.

// Returns mean ± t_{1-alpha/2, F-1} · s/√F of F fork medians (of logarithms, for ratios), which is exact for
// normally distributed fork medians; for one fork it returns the whole line.
[[nodiscard]] interval across_forks(std::span<const double> fork_medians, double alpha);

// Returns whether memory layout matters more than noise: whether the standard deviation of the fork medians
// exceeds the median half-width of the intervals found inside the forks. The verdict must then come from
// across_forks. Returns false for a single fork.
[[nodiscard]] bool between_exceeds_within(std::span<const double> fork_medians,
                                          std::span<const interval> within);

}  // namespace ridge::stats
