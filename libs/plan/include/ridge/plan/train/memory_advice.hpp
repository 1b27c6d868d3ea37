// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <ridge/plan/train/training_memory.hpp>

namespace ridge::plan::train {

// One change of a plan or of the settings, or several together, and its effect.
struct memory_advice {
  std::string change{};  // "selective recomputation"
  training_plan plan{};  // with the change
  memory_settings settings{};
  double saved_bytes = 0;      // on the rank that needs most
  double remaining_bytes = 0;  // need of that rank after the change
  double more_time = 0;        // estimated relative increase of the step time; negative: a gain
  std::string caution{};       // property to check before use: "convergence"
  bool fits = false;
};

// How advice estimates time.
struct advice_clock {
  std::function<double(const training_plan&)> step_s{};  // step time of a plan, by step_model
  double bandwidth_bytes_per_s = 0;                      // of the GPU's memory; 0: moving bytes costs no time
};

// Changes that lower the need of the fullest rank below `capacity_bytes`. Those that fit come first, in order
// of their cost in time, then of the larger saving. When no single change suffices, the first entry combines
// several; when those do not suffice either, it takes more GPUs. Changes that save less than a hundredth of
// the need are left out.
[[nodiscard]] std::vector<memory_advice> advise(const memory_model& model, const training_plan& plan,
                                                double capacity_bytes, const advice_clock& clock);

}  // namespace ridge::plan::train
