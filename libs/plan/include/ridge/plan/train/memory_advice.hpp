// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <ridge/plan/train/training_memory.hpp>

namespace ridge::plan::train {

// One change of a plan or of the settings, or several together, evaluated.
struct memory_advice {
  std::string change{};  // "selective recomputation"
  training_plan plan{};  // with the change
  memory_settings settings{};
  double saved_bytes = 0;      // of the rank that needs most
  double remaining_bytes = 0;  // what it needs then
  double more_time = 0;        // estimated share of the step's time that it costs; below 0: it gains
  std::string caution{};       // what to check: "convergence"
  bool fits = false;
};

// What advice asks about time.
struct advice_clock {
  std::function<double(const training_plan&)> step_s{};  // of step_model
  double bandwidth_bytes_per_s = 0;  // of the GPU's memory; 0: what only moves bytes costs nothing
};

// Changes that lower the need of the fullest rank: those that make it fit first, by their cost in time; on
// ties the larger saving first. Where no change is enough alone, the first entry puts several together; where
// that is not enough either, it takes more GPUs. Never a change that saves less than a hundredth of the need.
[[nodiscard]] std::vector<memory_advice> advise(const memory_model& model, const training_plan& plan,
                                                double capacity_bytes, const advice_clock& clock);

}  // namespace ridge::plan::train
