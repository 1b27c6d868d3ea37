// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include <ridge/plan/train/training_plan.hpp>

namespace ridge::plan::train {

class memory_model;
class step_model;

// What a search asks of a plan, in one precision. Must allocate nothing and allow many threads.
class plan_models {
 public:
  virtual ~plan_models() = default;
  [[nodiscard]] virtual double memory_bytes(const training_plan& plan) const = 0;  // of the fullest rank
  [[nodiscard]] virtual double step_s(const training_plan& plan) const = 0;
};

// Both models of the library; they must outlive it.
[[nodiscard]] std::unique_ptr<plan_models> models_of(const memory_model& memory, const step_model& time);

}  // namespace ridge::plan::train
