// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "plan_ranking.hpp"

namespace ridge::plan::train {

// What all parts of one search share.
struct search_ground {
  const search_request& asked;
  const search_axes& axes;
  std::span<const plan_models* const> precisions;
  std::vector<std::vector<int>> expert_tensor{};  // beside axes.tensor
};

// One part of a search: a cut of the model on one number of GPUs, in one precision.
struct search_part {
  std::size_t gpus = 0, precision = 0;  // indices
  std::size_t tensor = 0, pipeline = 0, context = 0;
};

[[nodiscard]] std::vector<search_part> parts_of(const search_ground& on);

// What one thread has found. Merging two is the same in any order.
struct search_findings {
  explicit search_findings(const search_request& asked) : best(asked.top), fronts(asked.gpus.size()) {}
  best_plans best;
  std::vector<plan_front> fronts;  // one a number of GPUs
  std::int64_t evaluated = 0, timed = 0;
  std::int64_t rejected[rejection_kinds]{};
  double least_memory_bytes = 0;
  training_plan least_memory{};

  void merge(const search_findings& other);
  void note_memory(double bytes, const training_plan& p);
};

// Evaluates every plan of a part.
void walk(const search_ground& on, const search_part& part, search_findings& into);

}  // namespace ridge::plan::train
