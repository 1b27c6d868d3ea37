// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "made_up_models.hpp"

namespace ridge::plan::train {
namespace {

using draw = std::mt19937_64;

int one_of(draw& d, std::initializer_list<int> values) {
  return *(values.begin() + static_cast<std::ptrdiff_t>(d() % values.size()));
}

training_job any_job(draw& d) {
  auto wide = tests::dense_layer(512);
  auto job = tests::job_of({tests::dense_layer(), tests::expert_layer(), wide}, {});
  const int layers = one_of(d, {1, 5, 8, 13, 24, 31, 61});
  const int pattern = one_of(d, {0, 1, 2, 3});
  for (int i = 0; i < layers; ++i) {
    const int kinds[]{0, i < 3 ? 0 : 1, i % 4 == 3 ? 1 : 2, static_cast<int>(d() % 3)};
    job.model.order.push_back(static_cast<std::uint8_t>(kinds[pattern]));
  }
  job.global_batch = one_of(d, {1, 16, 256});
  job.dropout = d() % 2 == 0;
  job.fused_attention = d() % 2 == 0;
  job.model.tied_embeddings = d() % 2 == 0;
  job.model.vocabulary = one_of(d, {10, 1000, 100000});
  job.model.prediction_layers = one_of(d, {0, 0, 1});
  return job;
}

memory_settings any_settings(draw& d) {
  memory_settings s;
  s.optimizer = static_cast<optimizer_kind>(d() % 4);
  s.adapter_rank = one_of(d, {0, 0, 8});
  s.fp8_activations = d() % 2 == 0;
  s.moving_average = d() % 2 == 0;
  s.loss_chunk_tokens = one_of(d, {0, 32});
  return s;
}

training_plan any_plan(draw& d, const training_job& job) {
  training_plan p{.micro_batch = one_of(d, {1, 2, 4})};
  const auto most = static_cast<int>(job.model.layers());
  p.layout.tensor = one_of(d, {1, 2, 8});
  p.layout.pipeline = 1 + static_cast<int>(d() % static_cast<std::uint64_t>(most));
  p.layout.virtual_pipeline =
      1 + static_cast<int>(d() % static_cast<std::uint64_t>(most / p.layout.pipeline));
  if (p.layout.pipeline == 1) p.layout.virtual_pipeline = 1;
  p.layout.data = one_of(d, {1, 4, 16});
  p.layout.context = one_of(d, {1, 2});
  p.layout.expert = one_of(d, {1, 4});
  p.recompute = static_cast<recomputation>(d() % 3);
  p.shard = static_cast<sharding>(d() % 4);
  p.sequence_parallel = d() % 2 == 0;
  return p;
}

TEST(worst_stage, is_the_largest_of_all_stages_of_any_model_and_plan) {
  draw d(20260822);
  int first = 0, middle = 0, last = 0;
  for (int i = 0; i < 300; ++i) {
    const memory_model model(any_job(d), any_settings(d));
    for (int j = 0; j < 30; ++j) {
      const auto plan = any_plan(d, model.job());
      const auto stages = model.by_stage(plan);
      const auto most = std::ranges::max_element(stages, {}, &rank_memory::total_bytes);
      ASSERT_EQ(model.worst(plan).total_bytes(), most->total_bytes()) << plan.text();
      const bool at_first = most == stages.begin();
      first += at_first ? 1 : 0;
      last += !at_first && most == stages.end() - 1 ? 1 : 0;
      middle += !at_first && most != stages.end() - 1 ? 1 : 0;
    }
  }
  // The random cases are useful only if each position is the fullest in many of them.
  EXPECT_GT(first, 100);
  EXPECT_GT(middle, 100);
  EXPECT_GT(last, 100);
}

TEST(worst_stage, of_a_dual_pipe_has_the_weights_of_both_its_stages) {
  draw d(20261126);
  for (int i = 0; i < 300; ++i) {
    const auto job = any_job(d);
    auto plan = any_plan(d, job);
    plan.layout.virtual_pipeline = 1;
    plan.shard = sharding::none;
    if (plan.layout.pipeline % 2 != 0) continue;
    const memory_model model(job, any_settings(d));
    const auto alone = model.by_stage(plan);
    plan.schedule = pipeline_schedule::dual_pipe;
    const auto stages = model.by_stage(plan);
    const auto most = std::ranges::max_element(stages, {}, &rank_memory::total_bytes);
    ASSERT_EQ(model.worst(plan).total_bytes(), most->total_bytes()) << plan.text();
    for (std::size_t r = 0; r < stages.size(); ++r) {
      const auto& opposite = alone[stages.size() - 1 - r];
      ASSERT_NEAR(stages[r].states_bytes(), alone[r].states_bytes() + opposite.states_bytes(),
                  1e-9 * stages[r].states_bytes());
    }
  }
}

TEST(worst_stage, refuses_more_chunks_than_places) {
  const memory_model model(tests::job_of({tests::dense_layer()}, {0, 0, 0, 0}));
  training_plan plan;
  plan.layout.pipeline = 7;
  EXPECT_THROW((void)model.worst(plan), precondition_violated);
}

}  // namespace
}  // namespace ridge::plan::train
