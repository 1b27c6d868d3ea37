// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <ridge/plan/train/training_memory.hpp>

namespace ridge::plan::train {

// One change of a plan or of the settings, evaluated.
struct memory_advice {
  std::string change{};  // "selective recomputation"
  training_plan plan{};  // with the change
  memory_settings settings{};
  double saved_bytes = 0;      // of the rank that needs most
  double remaining_bytes = 0;  // what it needs then
  double more_time = 0;        // estimated share of the step's time that it costs; below 0: it gains
  std::string reason{};        // of that estimate
  bool fits = false;
};

// Changes that lower the need of the fullest rank: those that make it fit first, by their cost in time; on
// ties the larger saving first. Never a change that saves nothing. The number of GPUs stays as it is, unless
// nothing else helps.
[[nodiscard]] std::vector<memory_advice> advise(const memory_model& model, const training_plan& plan,
                                                double capacity_bytes);

}  // namespace ridge::plan::train
