// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/train/memory_advice.hpp>

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ridge/plan/model_catalogue.hpp>

namespace ridge::plan::train {
namespace {

using testing::HasSubstr;

constexpr double gib = 1024.0 * 1024 * 1024;

training_job llama_70b_job() {
  return {.model = *model_named("meta-llama/Llama-3.1-70B"), .global_batch = 128, .sequence = 8192};
}

// Step times for tests: recomputation costs the time that it computes, smaller parts cost a little.
double made_up_step_s(const training_plan& p) {
  const double forwards = p.recompute == recomputation::full        ? 4
                          : p.recompute == recomputation::selective ? 3.05
                                                                    : 3;
  return forwards / static_cast<double>(p.layout.gpus()) *
         (1 + 0.01 * p.layout.tensor + 0.01 * p.layout.pipeline + 0.02 * static_cast<int>(p.shard));
}

training_plan plan_of(int tensor, int pipeline, int data, int micro_batch) {
  training_plan p{.micro_batch = micro_batch};
  p.layout = {.tensor = tensor, .pipeline = pipeline, .data = data};
  return p;
}

TEST(advice, is_the_changed_plan_evaluated) {
  const memory_model model(llama_70b_job());
  const auto plan = plan_of(4, 2, 16, 2);
  const double need = model.worst(plan).total_bytes();
  const auto all = advise(model, plan, 80 * gib, {.step_s = made_up_step_s});
  ASSERT_GT(all.size(), 5u);
  for (const auto& a : all) {
    EXPECT_DOUBLE_EQ(a.remaining_bytes, memory_model(model.job(), a.settings).worst(a.plan).total_bytes())
        << a.change;
    EXPECT_DOUBLE_EQ(a.saved_bytes, need - a.remaining_bytes) << a.change;
    EXPECT_DOUBLE_EQ(a.more_time, made_up_step_s(a.plan) / made_up_step_s(plan) - 1) << a.change;
    EXPECT_EQ(a.fits, a.remaining_bytes <= 80 * gib) << a.change;
    EXPECT_GE(a.saved_bytes, 0.01 * need) << a.change;
  }
}

TEST(advice, puts_what_fits_first_and_what_costs_least_before) {
  const memory_model model(llama_70b_job());
  const auto all = advise(model, plan_of(4, 2, 16, 2), 250 * gib, {.step_s = made_up_step_s});
  ASSERT_FALSE(all.empty());
  EXPECT_TRUE(all.front().fits);
  EXPECT_TRUE(std::ranges::is_sorted(all, [](const auto& a, const auto& b) {
    return std::pair(!a.fits, a.more_time) < std::pair(!b.fits, b.more_time);
  }));
}

TEST(advice, joins_changes_where_none_is_enough) {
  const memory_model model(llama_70b_job());
  const auto plan = plan_of(4, 2, 16, 2);
  const auto all = advise(model, plan, 55 * gib, {.step_s = made_up_step_s});
  ASSERT_FALSE(all.empty());
  EXPECT_TRUE(all.front().fits) << all.front().remaining_bytes / gib;
  EXPECT_THAT(all.front().change, HasSubstr(" + "));
  EXPECT_EQ(all.front().plan.layout.gpus(), plan.layout.gpus());
}

TEST(advice, takes_more_gpus_only_where_nothing_else_helps) {
  const memory_model model(llama_70b_job());
  const auto all = advise(model, plan_of(1, 1, 1, 1), 40 * gib, {.step_s = made_up_step_s});
  ASSERT_FALSE(all.empty());
  EXPECT_TRUE(all.front().fits);
  EXPECT_THAT(all.front().change, HasSubstr(" GPUs: "));
  EXPECT_TRUE(check_layout(model.job().model, all.front().plan.layout).ok());
}

TEST(advice, proposes_only_layouts_and_batches_that_divide) {
  const memory_model model(llama_70b_job());
  for (const auto& a : advise(model, plan_of(4, 2, 16, 2), 80 * gib, {.step_s = made_up_step_s})) {
    EXPECT_TRUE(check_layout(model.job().model, a.plan.layout).ok()) << a.change;
    EXPECT_EQ(128 % (a.plan.layout.data * a.plan.micro_batch), 0) << a.change;
  }
}

// Reading and writing the recomputed outputs of norms and of the activation function.
TEST(advice, prices_what_only_moves_bytes_by_bandwidth) {
  const memory_model model(llama_70b_job());
  const auto plan = plan_of(4, 2, 16, 2);
  const auto time = [&](double bandwidth) {
    for (const auto& a : advise(model, plan, 80 * gib, {made_up_step_s, bandwidth}))
      if (a.settings.recompute_pointwise && a.change.find(" + ") == std::string::npos) return a.more_time;
    return -1.0;
  };
  EXPECT_GT(time(1e12), time(2e12));
  EXPECT_NEAR(time(1e12) - 0.05 / 3, 2 * (time(2e12) - 0.05 / 3), 1e-9);
}

TEST(timeline, peaks_in_the_backward_pass_at_the_worst_ranks_need) {
  const memory_model model(llama_70b_job());
  const auto plan = plan_of(4, 4, 8, 1);
  const auto phases = step_timeline(model, plan);
  const auto most = std::ranges::max_element(phases, {}, &step_phase::total_bytes);
  EXPECT_EQ(most->name, "backward");
  EXPECT_NEAR(most->total_bytes(), model.worst(plan).total_bytes(), 1);
  EXPECT_EQ(phases.front().activations_bytes, 0);
  EXPECT_EQ(phases.back().name, "optimizer");
  EXPECT_LT(phases.back().total_bytes(), most->total_bytes());
}

TEST(explained, figures_add_up_to_the_worst_rank) {
  const memory_model model(
      {.model = *model_named("deepseek-ai/DeepSeek-V3"), .global_batch = 1024, .sequence = 4096});
  auto plan = plan_of(1, 16, 64, 1);
  plan.layout.expert = 64;
  const auto how = model.explain(plan);
  double sum = 0;
  for (const auto* id :
       {"weights_bytes", "gradients_bytes", "optimizer_bytes", "expert_weights_bytes",
        "expert_gradients_bytes", "expert_optimizer_bytes", "activations_bytes", "logits_bytes",
        "workspace_bytes", "communication_bytes", "context_bytes", "fragmentation_bytes"}) {
    ASSERT_NE(find(how, id), nullptr) << id;
    sum += find(how, id)->value;
  }
  EXPECT_NEAR(find(how, "worst_rank_bytes")->value, sum, 1);
  EXPECT_NEAR(sum, model.worst(plan).total_bytes(), 1);
  EXPECT_EQ(find(how, "parameters_per_rank")->value * 2, find(how, "weights_bytes")->value);
}

TEST(settings, that_cannot_be_are_named) {
  EXPECT_TRUE(check_settings({}).ok());
  memory_settings s;
  s.expert_imbalance = 0.5;
  EXPECT_THAT(check_settings(s).why().message, HasSubstr("expert_imbalance is 0.5"));
  s = {};
  s.moment_bytes = -1;
  EXPECT_THAT(check_settings(s).why().message, HasSubstr("moment_bytes"));
  s = {};
  s.adapter_rank = -4;
  EXPECT_THAT(check_settings(s).why().message, HasSubstr("adapter_rank is -4"));
}

}  // namespace
}  // namespace ridge::plan::train
