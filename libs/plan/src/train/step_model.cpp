// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/train/step_time.hpp>

namespace ridge::plan::train {

struct step_model::tables {
  training_job job{};
};

step_model::step_model(const training_job& job, const accelerator&, const interconnect&,
                       const training_coefficients&)
    : tables_(std::make_unique<const tables>(tables{job})) {}
step_model::step_model(step_model&&) noexcept = default;
step_model& step_model::operator=(step_model&&) noexcept = default;
step_model::~step_model() = default;

step_time step_model::time(const training_plan&) const { return {}; }
derivation step_model::explain(const training_plan&) const { return {}; }

}  // namespace ridge::plan::train
