// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include <ridge/base/interval.hpp>

namespace ridge::stats {

// Repetition at the level of processes, whose memory layout differs: the forks' medians are the observations.
// Kalibera & Jones, "Rigorous benchmarking in reasonable time", ISMM 2013.

// mean ± t_{1-alpha/2, F-1} · s/√F of F fork medians (on the log scale for ratios); the whole line for one
// fork. Exact for normally distributed fork medians.
[[nodiscard]] interval across_forks(std::span<const double> fork_medians, double alpha);

// Layout matters more than noise: the forks' medians scatter (standard deviation) beyond the median
// half-width of the intervals found inside the forks. Then the verdict must come from across_forks. False for
// a single fork.
[[nodiscard]] bool between_exceeds_within(std::span<const double> fork_medians,
                                          std::span<const interval> within);

}  // namespace ridge::stats
