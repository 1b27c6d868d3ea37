// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "plan_ranking.hpp"

namespace ridge::plan::train {

// Shared by all parts of one search.
struct search_ground {
  const search_request& asked;
  const search_axes& axes;
  std::span<const plan_models* const> precisions;
  std::vector<std::vector<int>> expert_tensor{};  // parallel to axes.tensor
};

// One part of a search: a division of the model on one number of GPUs in one precision.
struct search_part {
  std::size_t gpus = 0, precision = 0;  // indices
  std::size_t tensor = 0, pipeline = 0, context = 0;
};

[[nodiscard]] std::vector<search_part> parts_of(const search_ground& ground);

// The findings of one thread; they can be merged in any order.
struct search_findings {
  explicit search_findings(const search_request& asked) : best(asked.top), fronts(asked.gpus.size()) {}
  best_plans best;
  std::vector<plan_front> fronts;  // one per number of GPUs
  std::int64_t evaluated = 0, timed = 0;
  std::int64_t rejected[rejection_kinds]{};
  double least_memory_bytes = 0;
  training_plan least_memory{};
  std::uint8_t least_memory_precision = 0;

  void merge(const search_findings& other);
  void note_memory(double bytes, const training_plan& p, std::uint8_t precision);
};

// Evaluates every plan of a part.
void walk(const search_ground& ground, const search_part& part, search_findings& findings);

}  // namespace ridge::plan::train
