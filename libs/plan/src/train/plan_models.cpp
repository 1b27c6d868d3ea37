// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/train/plan_models.hpp>

#include <ridge/plan/train/step_time.hpp>
#include <ridge/plan/train/training_memory.hpp>

namespace ridge::plan::train {
namespace {

class both_models final : public plan_models {
 public:
  both_models(const memory_model& memory, const step_model& time) : memory_(memory), time_(time) {}

  [[nodiscard]] double memory_bytes(const training_plan& plan) const override {
    return memory_.worst(plan).total_bytes();
  }
  [[nodiscard]] double step_s(const training_plan& plan) const override { return time_.time(plan).total_s; }

 private:
  const memory_model& memory_;
  const step_model& time_;
};

}  // namespace

std::unique_ptr<plan_models> models_of(const memory_model& memory, const step_model& time) {
  return std::make_unique<both_models>(memory, time);
}

}  // namespace ridge::plan::train
