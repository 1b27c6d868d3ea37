// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/train/search_space.hpp>

#include <gmock/gmock.h>

namespace ridge::plan::train {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

training_job job(int layers, int heads, int kv_heads) {
  training_job j{.global_batch = 48, .sequence = 8192};
  j.model.kinds.push_back({.attention = {.heads = heads, .kv_heads = kv_heads, .head_dim = 128},
                           .feed_forward = {.intermediate = heads * 512}});
  j.model.order.assign(static_cast<std::size_t>(layers), 0);
  return j;
}

TEST(axes_of, keeps_what_divides) {
  const auto axes = *axes_of(job(12, 24, 8), {});
  EXPECT_THAT(axes.tensor, ElementsAre(1, 2, 4, 8));
  EXPECT_THAT(axes.context, ElementsAre(1, 2, 4, 8));
  EXPECT_THAT(axes.expert, ElementsAre(1));
  EXPECT_THAT(axes.micro_batch, ElementsAre(1, 2, 4, 8));
  EXPECT_THAT(axes.data, ElementsAre(1, 2, 3, 4, 6, 8, 12, 16, 24, 48));
}

TEST(axes_of, interleaves_pipelines_by_what_divides_layers) {
  const auto axes = *axes_of(job(12, 24, 8), {});
  const auto of_four = std::ranges::find(axes.pipeline, 4, &search_axes::stages::pipeline);
  ASSERT_NE(of_four, axes.pipeline.end());
  EXPECT_THAT(of_four->virtual_pipeline, ElementsAre(1, 3));
  const auto of_one = axes.pipeline.front();
  EXPECT_EQ(of_one.pipeline, 1);
  EXPECT_THAT(of_one.virtual_pipeline, ElementsAre(1));
}

TEST(axes_of, keeps_tensor_ranks_inside_a_domain) {
  search_space space{.scale_up_size = 4};
  EXPECT_THAT(axes_of(job(12, 24, 8), space)->tensor, ElementsAre(1, 2, 4));
  space.tensor_across_nodes = true;
  EXPECT_THAT(axes_of(job(12, 24, 8), space)->tensor, ElementsAre(1, 2, 4, 8, 24));
  space.max_tensor = 8;
  EXPECT_THAT(axes_of(job(12, 24, 8), space)->tensor, ElementsAre(1, 2, 4, 8));
}

TEST(axes_of, splits_sequences_no_finer_than_asked) {
  EXPECT_THAT(axes_of(job(12, 24, 8), {.min_context_tokens = 4096})->context, ElementsAre(1, 2));
  EXPECT_THAT(axes_of(job(12, 24, 8), {.context = {16}})->context, ElementsAre(16));
}

TEST(axes_of, divides_experts) {
  auto moe = job(12, 24, 8);
  moe.model.kinds[0].feed_forward = {.experts = 12, .active_experts = 2, .expert_intermediate = 768};
  EXPECT_THAT(axes_of(moe, {})->expert, ElementsAre(1, 2, 3, 4, 6, 12));
  EXPECT_THAT(expert_tensor_of(moe, {}, 8), ElementsAre(1, 8));
  EXPECT_THAT(expert_tensor_of(moe, {.expert_tensor = {2, 5}}, 8), ElementsAre(2));
  EXPECT_THAT(expert_tensor_of(job(12, 24, 8), {}, 8), ElementsAre(1));
}

TEST(axes_of, names_the_axis_on_which_nothing_is_left) {
  EXPECT_THAT(axes_of(job(12, 24, 8), {.tensor = {5}}).why().message, HasSubstr("tensor"));
  EXPECT_THAT(axes_of(job(12, 20, 20), {.tensor = {8}}).why().message,
              HasSubstr("20 attention heads do not divide by 8"));
  EXPECT_THAT(axes_of(job(12, 24, 8), {.pipeline = {5}}).why().message,
              HasSubstr("12 layers do not divide into 5"));
  EXPECT_THAT(axes_of(job(12, 24, 8), {.context = {3}}).why().message, HasSubstr("8192"));
  EXPECT_THAT(axes_of(job(12, 24, 8), {.expert = {4}}).why().message, HasSubstr("without experts"));
  EXPECT_THAT(axes_of(job(12, 24, 8), {.micro_batch = {5}}).why().message, HasSubstr("48"));
  EXPECT_THAT(axes_of(job(12, 24, 8), {.data = {7}}).why().message, HasSubstr("data"));
  auto none = job(12, 24, 8);
  none.global_batch = 0;
  EXPECT_FALSE(axes_of(none, {}).ok());
}

TEST(axes_of, survives_numbers_that_are_none) {
  for (const int n : {0, -8}) {
    EXPECT_FALSE(axes_of(job(12, 24, 8), {.tensor = {n}}).ok());
    EXPECT_FALSE(axes_of(job(12, 24, 8), {.pipeline = {n}}).ok());
    EXPECT_FALSE(axes_of(job(12, 24, 8), {.virtual_pipeline = {n}}).ok());
    EXPECT_FALSE(axes_of(job(12, 24, 8), {.context = {n}}).ok());
    EXPECT_FALSE(axes_of(job(12, 24, 8), {.data = {n}}).ok());
    EXPECT_FALSE(axes_of(job(12, 24, 8), {.expert = {n}}).ok());
    EXPECT_FALSE(axes_of(job(12, 24, 8), {.micro_batch = {n}}).ok());
  }
}

TEST(fixed, takes_one_value_an_axis) {
  const auto s = *fixed({}, "tp=8, pp=4,vp=2,cp=1,dp=16,ep=2,etp=1,mbs=2,zero=1,recompute=full,sp=off");
  EXPECT_THAT(s.tensor, ElementsAre(8));
  EXPECT_THAT(s.pipeline, ElementsAre(4));
  EXPECT_THAT(s.virtual_pipeline, ElementsAre(2));
  EXPECT_THAT(s.data, ElementsAre(16));
  EXPECT_THAT(s.expert, ElementsAre(2));
  EXPECT_THAT(s.micro_batch, ElementsAre(2));
  EXPECT_THAT(s.shard, ElementsAre(sharding::optimizer));
  EXPECT_THAT(s.recompute, ElementsAre(recomputation::full));
  EXPECT_THAT(s.sequence_parallel, ElementsAre(false));
}

TEST(fixed, names_what_it_does_not_understand) {
  for (const auto* text :
       {"tp", "tp=", "tp=0", "tp=x", "zero=4", "recompute=some", "sp=1", "dq=4", "tp=8,", "tp=8x"}) {
    const auto s = fixed({}, text);
    ASSERT_FALSE(s.ok()) << text;
    EXPECT_THAT(s.why().message, HasSubstr("fixes no axis"));
  }
}

}  // namespace
}  // namespace ridge::plan::train
