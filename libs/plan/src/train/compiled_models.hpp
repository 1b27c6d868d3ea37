// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include <ridge/plan/train/parallelism.hpp>
#include <ridge/plan/train/training_memory.hpp>

namespace ridge::plan::train {

// Models of memory and time for each compute type of a question, made once.
class compiled_models {
 public:
  compiled_models(const parallelism_question& q, const training_job& job);

  [[nodiscard]] const std::vector<const plan_models*>& all() const { return all_; }
  [[nodiscard]] const memory_model& memory(std::size_t precision) const { return *memory_[precision]; }
  [[nodiscard]] const step_model& time(std::size_t precision) const { return *time_[precision]; }

 private:
  std::vector<std::unique_ptr<memory_model>> memory_{};
  std::vector<std::unique_ptr<step_model>> time_{};
  std::vector<std::unique_ptr<plan_models>> both_{};
  std::vector<const plan_models*> all_{};
};

}  // namespace ridge::plan::train
