// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/train/parallelism.hpp>

#include <algorithm>

#include <gmock/gmock.h>

#include <ridge/hardware/hardware_catalogue.hpp>
#include <ridge/plan/model_catalogue.hpp>
#include <ridge/plan/train/layout_table.hpp>

namespace ridge::plan::train {
namespace {

using testing::HasSubstr;

parallelism_question question(std::string_view model, std::string_view gpu, std::vector<std::int64_t> gpus) {
  parallelism_question q;
  q.model = *model_named(model);
  q.gpu = *accelerator_named(hardware::catalogue::embedded(), gpu);
  q.links = usual_interconnect(q.gpu);
  q.coefficients = training_coefficients_of(q.gpu);
  q.space.scale_up_size = q.gpu.scale_up_size;
  q.gpus = std::move(gpus);
  q.failures = usual_reliability();
  q.threads = 2;
  return q;
}

// Layouts with which Llama 3.1 405B was submitted to MLPerf Training 5.0, in fp8 with 8192 tokens per
// sequence: tensor ranks, pipeline 8, 8 chunks per stage, context 2.
struct submission {
  std::string_view gpu{};
  std::int64_t gpus = 0, batch = 0;
  int tensor = 8;
};
constexpr submission submissions[] = {
    {"H100", 512, 1152, 8}, {"H100", 2048, 1152, 8}, {"H200", 512, 1152, 4}, {"GB200", 512, 896, 4}};

double step_of_submission(const parallelism_question& q, const submission& s) {
  auto one = q;
  one.space = *fixed(q.space, "pp=8,vp=8,cp=2,mbs=1,zero=1,recompute=none,tp=" + std::to_string(s.tensor) +
                                  ",dp=" + std::to_string(s.gpus / s.tensor / 16));
  const auto found = *plan_parallelism(one);
  EXPECT_EQ(found.search.evaluated, 1);
  return found.plans.empty() ? found.nearest->scored.step_s : found.plans.front().scored.step_s;
}

TEST(plan_parallelism, chooses_as_well_as_those_who_measured) {
  for (const auto& s : submissions) {
    auto q = question("Llama-3.1-405B", s.gpu, {s.gpus});
    q.compute_types = {"fp8"};
    q.global_batch = s.batch;
    q.sequence = 8192;
    const auto found = *plan_parallelism(q);
    ASSERT_FALSE(found.plans.empty()) << s.gpu;
    const double theirs = step_of_submission(q, s);
    EXPECT_LE(found.plans.front().scored.step_s, theirs * 1.0001) << s.gpu;
    EXPECT_GE(found.plans.front().scored.step_s, theirs * 0.87)
        << s.gpu << ": " << found.plans.front().scored.plan.text() << " is too good to be true";
  }
}

TEST(plan_parallelism, agrees_with_its_models) {
  const auto q = question("Llama-3.1-8B", "H100", {16});
  const auto found = *plan_parallelism(q);
  ASSERT_FALSE(found.plans.empty());
  const auto& p = found.plans.front();
  EXPECT_EQ(p.scored.step_s, p.time.total_s);
  EXPECT_EQ(p.scored.memory_bytes, p.memory.total_bytes());
  EXPECT_LE(p.scored.memory_bytes, q.gpu.memory_bytes);
  EXPECT_NEAR(p.time.tokens_per_s, 128 * 8192 / p.scored.step_s, 1);
  EXPECT_LE(p.kept.share, 1);
}

TEST(plan_parallelism, fills_in_batch_and_sequence) {
  EXPECT_EQ(usual_global_batch(1), 128);
  EXPECT_EQ(usual_global_batch(16384), 2048);
  EXPECT_EQ(usual_global_batch(131072), 16384);
  const auto found = *plan_parallelism(question("Llama-3.1-8B", "H100", {8, 16}));
  EXPECT_EQ(found.job.global_batch, 128);
  EXPECT_EQ(found.job.sequence, 8192);
}

TEST(plan_parallelism, answers_for_131072_gpus) {
  const auto found = *plan_parallelism(question("Llama-3.1-405B", "H100", {131072}));
  ASSERT_FALSE(found.plans.empty());
  EXPECT_EQ(found.plans.front().scored.plan.layout.gpus(), 131072);
  EXPECT_GT(found.plans.front().time.mfu, 0.2);
  EXPECT_LT(found.plans.front().time.mfu, 0.7);
}

TEST(plan_parallelism, spreads_experts) {
  const auto found = *plan_parallelism(question("DeepSeek-V3", "H200", {1024}));
  ASSERT_FALSE(found.plans.empty());
  EXPECT_GT(found.plans.front().scored.plan.layout.expert, 1);
}

TEST(plan_parallelism, prefers_fp8_where_both_are_asked) {
  auto q = question("Llama-3.1-70B", "H100", {256});
  q.compute_types = {"bf16", "fp8"};
  const auto found = *plan_parallelism(q);
  EXPECT_EQ(found.plans.front().compute_type, "fp8");
}

TEST(plan_parallelism, shows_what_is_nearest_where_nothing_fits) {
  const auto found = *plan_parallelism(question("Llama-3.1-405B", "H100", {8}));
  EXPECT_TRUE(found.plans.empty());
  ASSERT_TRUE(found.nearest.has_value());
  EXPECT_FALSE(found.nearest->fits);
  EXPECT_GT(found.nearest->scored.memory_bytes, found.usable_bytes);
  ASSERT_FALSE(found.limits.empty());
  EXPECT_EQ(found.limits.front().limit, "memory");
}

TEST(plan_parallelism, tells_what_more_memory_would_bring) {
  const auto q = question("Llama-3.1-70B", "H100", {64});
  const auto found = *plan_parallelism(q);
  const auto memory = std::ranges::find(found.limits, "memory", &relaxation::limit);
  ASSERT_NE(memory, found.limits.end());
  auto more = q;
  more.usable_bytes = 1e15;
  const auto without = *plan_parallelism(more);
  EXPECT_NEAR(memory->gain, 1 - without.plans.front().scored.step_s / found.plans.front().scored.step_s,
              1e-12);
  EXPECT_NEAR(memory->slack, 1 - found.plans.front().scored.memory_bytes / found.usable_bytes, 1e-12);
}

TEST(plan_parallelism, prices_what_is_paid_for) {
  auto q = question("Llama-3.1-8B", "H100", {13});
  q.dollars_per_gpu_hour = 2;
  q.tokens = 1e12;
  const auto found = *plan_parallelism(q);
  const auto& p = found.plans.front();
  EXPECT_NEAR(p.dollars_per_million_tokens, p.scored.step_s * 13 * 2 / 3600 / (128.0 * 8192) * 1e6, 1e-12);
  ASSERT_TRUE(p.run.has_value());
  EXPECT_NEAR(p.run->wall_s * p.kept.share, p.run->steps * p.scored.step_s, 1e-3);
}

TEST(plan_parallelism, names_what_is_wrong_with_a_question) {
  EXPECT_THAT(plan_parallelism(question("Llama-3.1-8B", "H100", {})).why().message,
              HasSubstr("no number of GPUs"));
  EXPECT_THAT(plan_parallelism(question("Llama-3.1-8B", "H100", {0})).why().message, HasSubstr("0 GPUs"));
  EXPECT_THAT(plan_parallelism(question("Llama-3.1-8B", "H100", {-8})).why().message, HasSubstr("-8 GPUs"));
  auto q = question("Llama-3.1-8B", "H100", {8});
  q.global_batch = -1;
  EXPECT_FALSE(plan_parallelism(q).ok());
}

TEST(plan_parallelism, explains_the_figures_of_a_plan) {
  auto q = question("Llama-3.1-8B", "H100", {64});
  q.tokens = 1e12;
  const auto found = *plan_parallelism(q);
  const auto how = explain(q, found, found.plans.front());
  for (const auto* id : {"mtbf_s", "checkpoint_interval_s", "goodput", "run_wall_s", "run_gpu_hours"}) {
    const auto* f = find(how, id);
    ASSERT_NE(f, nullptr) << id;
    EXPECT_GT(f->value, 0) << id;
  }
}

TEST(usual_reliability, is_that_of_llama_3) {
  const auto g = goodput_of(usual_reliability(), 16384);
  EXPECT_NEAR(g.mtbf_s, 54.0 * 86400 / 419, 1);
  EXPECT_GT(g.share, 0.9);
}

TEST(layout_rules, hold_for_small_models_and_not_for_large_ones) {
  const auto rules = *check_layout_rules(question("Llama-3.1-8B", "H100", {8}));
  ASSERT_EQ(rules.size(), 5U);
  for (const auto& c : rules) {
    EXPECT_EQ(c.by_rule.scored.plan.layout.gpus(), c.gpus);
    EXPECT_EQ(c.by_rule.scored.plan.layout.tensor, c.rule.tensor);
    EXPECT_GE(c.slower, -1e-12) << c.rule.models;
    EXPECT_FALSE(c.why.empty());
    if (c.by_rule.scored.plan.shard == sharding::weights) continue;
    EXPECT_GT(c.by_rule.scored.memory_bytes, c.weights_bytes) << c.rule.models;
  }
  EXPECT_LT(rules[0].slower, 0.01);
  EXPECT_FALSE(rules[3].by_rule.fits);  // 70B: 16 bytes per parameter over 8 GPUs are 141 GB
  EXPECT_FALSE(rules[3].best.has_value());
}

}  // namespace
}  // namespace ridge::plan::train
