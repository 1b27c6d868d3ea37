// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>

#include <ridge/plan/train/search.hpp>

namespace ridge::plan::train {

// A total order of the plans of one search: no two different plans are equal, so the best does not depend on
// the order of the search. Plans nearer to the simplest one come first.
[[nodiscard]] bool plainer(const training_plan& a, const training_plan& b);

// Whether one plan is better: by the score of the objective, then time, memory, GPUs, precision, then the
// simpler one.
struct ranked_plan {
  double score = 0;
  scored_plan scored{};
};
[[nodiscard]] bool better(const ranked_plan& a, const ranked_plan& b);

}  // namespace ridge::plan::train
