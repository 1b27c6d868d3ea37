// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>

#include <ridge/plan/train/search.hpp>

namespace ridge::plan::train {

// A total order of plans of one search: no two different plans are equal, so that what is best does not
// depend on who found it first. Nearer to the plainest plan comes first.
[[nodiscard]] bool plainer(const training_plan& a, const training_plan& b);

// Better by the objective's score, then by time, memory, GPUs, precision, then the plainer one.
struct ranked_plan {
  double score = 0;
  scored_plan of{};
};
[[nodiscard]] bool better(const ranked_plan& a, const ranked_plan& b);

}  // namespace ridge::plan::train
