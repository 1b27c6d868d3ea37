// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include <ridge/plan/train/training_plan.hpp>

namespace ridge::plan::train {

class memory_model;
class step_model;

// Memory and time of plans in one precision, as a search needs them. Implementations allocate nothing and are
// thread-safe.
class plan_models {
 public:
  virtual ~plan_models() = default;
  // Bytes on the fullest rank.
  [[nodiscard]] virtual double memory_bytes(const training_plan& plan) const = 0;
  // Seconds of one step.
  [[nodiscard]] virtual double step_s(const training_plan& plan) const = 0;
};

// Combines the two models, which must outlive the result.
[[nodiscard]] std::unique_ptr<plan_models> models_of(const memory_model& memory, const step_model& time);

}  // namespace ridge::plan::train
