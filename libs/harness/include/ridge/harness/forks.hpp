// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/model/run.hpp>

namespace ridge::harness {

// One family measured in several processes, whose memory layouts differ, as one: the forks' ratios are the
// observations, mean and Student interval of their logarithms at each comparison's level (Kalibera & Jones,
// ISMM 2013; stats/hierarchy.hpp), and the verdict is judged on that interval. INVALID and UNVERIFIED in any
// fork stay; so does a refusal. Where the forks have different results, because a variant was refused or
// skipped in some, the result is one fork alone: one with a refusal or without any result, else the one with
// the fewest results. Medians are the forks' median with the interval across forks. The series of
// samples of all forks are kept, in order. `code_layouts` is the number of layouts of the code that the
// processes took in turn. Bug: no forks, or forks of different arms.
[[nodiscard]] model::family merge_forks(const std::vector<model::family>& forks, double min_effect,
                                        int code_layouts = 1);

}  // namespace ridge::harness
