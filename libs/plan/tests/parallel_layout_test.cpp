// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/parallel_layout.hpp>

#include <gmock/gmock.h>

namespace ridge::plan {
namespace {

using testing::HasSubstr;

model_shape dense(int layers, int heads, int kv_heads, int intermediate) {
  model_shape m{.name = "dense", .hidden = 1024, .vocabulary = 1000};
  m.kinds.push_back(
      {.attention = {.heads = heads, .kv_heads = kv_heads, .head_dim = 64, .value_head_dim = 64},
       .feed_forward = {.intermediate = intermediate}});
  m.order.assign(static_cast<std::size_t>(layers), 0);
  return m;
}

model_shape with_experts(int layers, int experts) {
  auto m = dense(layers, 64, 8, 0);
  m.kinds[0].feed_forward = {.experts = experts, .active_experts = 2, .expert_intermediate = 768};
  return m;
}

std::string refusal(const model_shape& m, const parallel_layout& l) {
  const auto checked = check_layout(m, l);
  return checked.ok() ? "accepted" : checked.why().message;
}

TEST(parallel_layout, multiplies_tensor_pipeline_context_and_data) {
  EXPECT_EQ((parallel_layout{.tensor = 8, .pipeline = 4, .context = 2, .data = 3, .expert = 64}.gpus()), 192);
  EXPECT_EQ((parallel_layout{.tensor = 64, .pipeline = 256, .context = 64, .data = 8192}.gpus()), 8589934592);
}

TEST(parallel_layout, says_only_what_is_parallel) {
  EXPECT_EQ((parallel_layout{.tensor = 8, .pipeline = 4, .virtual_pipeline = 5, .data = 16}.text()),
            "TP 8, PP 4, VP 5, DP 16");
  EXPECT_EQ(parallel_layout{}.text(), "one GPU");
  EXPECT_EQ((parallel_layout{.expert = 8, .expert_tensor = 2}.text()), "EP 8, ETP 2");
}

TEST(check_layout, names_heads_that_tensor_ranks_do_not_divide) {
  const auto m = dense(32, 40, 8, 4096);
  EXPECT_THAT(refusal(m, {.tensor = 16}), HasSubstr("40 attention heads do not divide by 16 tensor ranks"));
  EXPECT_EQ(refusal(m, {.tensor = 8}), "accepted");
}

TEST(check_layout, accepts_key_value_heads_copied_to_several_ranks) {
  const auto m = dense(32, 96, 8, 9216);
  EXPECT_EQ(refusal(m, {.tensor = 32}), "accepted");
  EXPECT_THAT(refusal(m, {.tensor = 12}), HasSubstr("8 key-value heads and 12 tensor ranks"));
}

TEST(check_layout, does_not_split_latent_rows_by_heads) {
  auto m = dense(32, 128, 1, 4096);
  m.kinds[0].attention.kind = attention_kind::latent;
  m.kinds[0].attention.kv_heads = 3;
  EXPECT_EQ(refusal(m, {.tensor = 16}), "accepted");
}

TEST(check_layout, counts_embedding_and_head_as_layers_where_needed) {
  const auto m = dense(126, 128, 8, 53248);
  EXPECT_EQ(refusal(m, {.tensor = 8, .pipeline = 8, .virtual_pipeline = 8}), "accepted");  // 128 slots
  EXPECT_EQ(refusal(m, {.pipeline = 9}), "accepted");                                      // 126 = 9 · 14
  EXPECT_THAT(refusal(m, {.pipeline = 8, .virtual_pipeline = 5}),
              HasSubstr("126 layers do not divide into 40"));
}

TEST(check_layout, wants_a_layer_for_every_chunk) {
  EXPECT_NE(refusal(dense(2, 8, 8, 64), {.pipeline = 5}), "accepted");
  EXPECT_NE(refusal(dense(4, 8, 8, 64), {.virtual_pipeline = 2}), "accepted");
}

TEST(check_layout, names_experts_that_ranks_do_not_divide) {
  const auto m = with_experts(32, 60);
  EXPECT_THAT(refusal(m, {.data = 8, .expert = 8}), HasSubstr("60 experts do not divide by 8"));
  EXPECT_THAT(refusal(m, {.data = 6, .expert = 4}), HasSubstr("6 GPUs per stage do not divide by 4"));
  EXPECT_EQ(refusal(m, {.tensor = 2, .data = 6, .expert = 6, .expert_tensor = 2}), "accepted");
  EXPECT_THAT(refusal(m, {.data = 10, .expert_tensor = 5}), HasSubstr("768 columns of an expert"));
  EXPECT_THAT(refusal(dense(8, 8, 8, 64), {.data = 4, .expert = 4}), HasSubstr("model without experts"));
}

TEST(check_layout, refuses_less_than_one) {
  EXPECT_THAT(refusal(dense(8, 8, 8, 64), {.context = 0}), HasSubstr("context parallelism of 0"));
  EXPECT_THAT(refusal(dense(8, 8, 8, 64), {.data = -3}), HasSubstr("data parallelism of -3"));
}

}  // namespace
}  // namespace ridge::plan
