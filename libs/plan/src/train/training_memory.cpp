// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/train/training_memory.hpp>

#include <algorithm>
#include <array>

#include "memory_tables.hpp"

namespace ridge::plan::train {

memory_model::memory_model(const training_job& job, const memory_settings& settings)
    : tables_(std::make_unique<const tables>(job, settings)) {}
memory_model::~memory_model() = default;
memory_model::memory_model(memory_model&&) noexcept = default;
memory_model& memory_model::operator=(memory_model&&) noexcept = default;

const training_job& memory_model::job() const { return tables_->job; }

const memory_settings& memory_model::settings() const { return tables_->settings; }

std::int64_t micro_batches_of(const training_job& job, const training_plan& plan) {
  const auto together = std::int64_t{plan.layout.data} * plan.micro_batch;
  return std::max<std::int64_t>(1, job.global_batch / together);
}

rank_memory memory_model::worst(const training_plan& plan) const {
  if (plan.schedule == pipeline_schedule::dual_pipe) return worst_of_pairs(plan);
  const auto stages = tables_->candidates(plan.layout.pipeline, plan.layout.virtual_pipeline);
  const plan_rates rates(*tables_, plan);
  auto most = memory_of_stage(*tables_, rates, tables_->candidate(stages, 0));
  for (std::size_t i = 1; i < tables_->candidate_count(stages); ++i) {
    const auto other = memory_of_stage(*tables_, rates, tables_->candidate(stages, i));
    if (other.total_bytes() > most.total_bytes()) most = other;
  }
  return most;
}

rank_memory memory_model::worst_of_pairs(const training_plan& plan) const {
  const plan_rates rates(*tables_, plan);
  std::array<std::int32_t, 256> room{};
  const std::span counts(room.data(), tables_->kinds.size());
  rank_memory most;
  for (std::int64_t i = 0; i < rates.pipeline / 2; ++i) {
    tables_->count_layers(plan, i, counts);
    const auto one = memory_of_stage(*tables_, rates, {i, counts});
    if (i == 0 || one.total_bytes() > most.total_bytes()) most = one;
  }
  return most;
}

std::vector<rank_memory> memory_model::by_stage(const training_plan& plan) const {
  const plan_rates rates(*tables_, plan);
  std::vector<std::int32_t> counts(tables_->kinds.size());
  std::vector<rank_memory> stages;
  for (std::int64_t i = 0; i < rates.pipeline; ++i) {
    tables_->count_layers(plan, i, counts);
    stages.push_back(memory_of_stage(*tables_, rates, {i, counts}));
  }
  return stages;
}

double memory_model::optimizer_scratch_bytes(const training_plan& plan) const {
  const plan_rates rates(*tables_, plan);
  double most = 0;
  for (std::size_t k = 0; k < tables_->kinds.size(); ++k) most = std::max(most, rates.kinds[k].scratch);
  return most;
}

}  // namespace ridge::plan::train
