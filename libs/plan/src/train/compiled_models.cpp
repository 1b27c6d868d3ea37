// SPDX-License-Identifier: Apache-2.0
#include "compiled_models.hpp"

namespace ridge::plan::train {

compiled_models::compiled_models(const parallelism_question& q, const training_job& job) {
  for (const auto& type : q.compute_types) {
    auto typed = job;
    typed.compute_type = type;
    memory_.push_back(std::make_unique<memory_model>(typed, settings_for(type, q.formats, q.memory)));
    time_.push_back(std::make_unique<step_model>(typed, q.gpu, q.links, q.coefficients));
    both_.push_back(models_of(*memory_.back(), *time_.back()));
    all_.push_back(both_.back().get());
  }
}

}  // namespace ridge::plan::train
