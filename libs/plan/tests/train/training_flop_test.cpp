// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/train/training_flop.hpp>

#include <gtest/gtest.h>

#include "shapes.hpp"

namespace ridge::plan::train {
namespace {

// Weights that a token uses, from the forward products: two FLOP each.
double weights_of(const model_shape& m) { return forward_flop_of(m, 1000).products / 2000; }

TEST(training_flop, follows_the_formula_of_megatron_with_half_its_attention) {
  const double b = 64, s = 2048, layers = 96, h = 12288, v = 51200;
  const training_job job{.model = gpt(96, 12288, 96, 51200), .global_batch = 64, .sequence = 2048};
  // Narayanan et al. (2021), section 5.1, counts 96 b s l h² (1 + s/6h + v/16lh) with full recomputation and
  // no causal mask; three passes and the mask make it this.
  const double expected = 72 * b * s * layers * h * h * (1 + s / (12 * h) + v / (12 * layers * h));
  EXPECT_NEAR(model_flop(job) / expected, 1, 1e-12);
}

TEST(training_flop, counts_the_weights_of_llama_3_70b) {
  // 70,553,706,496 parameters less two embeddings and 161 norms.
  EXPECT_EQ(weights_of(llama_70b()), 70553706496.0 - 2.0 * 128256 * 8192 - 161.0 * 8192);
}

TEST(training_flop, counts_active_experts_and_the_router_of_qwen3) {
  // 3,353,032,704 active with both embeddings, less norms of layers, queries and keys, and the last.
  EXPECT_EQ(weights_of(qwen3_30b_a3b()),
            3353032704.0 - 2.0 * 151936 * 2048 - 48.0 * (2 * 2048 + 2 * 128) - 2048);
}

TEST(training_flop, counts_latent_attention_and_shared_experts_of_deepseek_v3) {
  // 37,552,297,472 active, less embeddings, norms of layers and of the two ranks, and the router's bias.
  EXPECT_EQ(weights_of(deepseek_v3()),
            37552297472.0 - 2.0 * 129280 * 7168 - 61.0 * (2 * 7168 + 1536 + 512) - 7168 - 58.0 * 256);
}

TEST(training_flop, attention_of_latent_heads_uses_both_widths) {
  const double s = 4096;
  EXPECT_DOUBLE_EQ(forward_flop_of(deepseek_v3(), 4096).attention, 61 * 2 * 128.0 * (192 + 128) * s * s / 2);
}

TEST(training_flop, a_window_bounds_what_queries_meet) {
  auto m = llama_70b();
  const double full = forward_flop_of(m, 8192).attention;
  m.kinds[0].attention.kind = attention_kind::sliding;
  m.kinds[0].attention.window = 8192;
  EXPECT_DOUBLE_EQ(forward_flop_of(m, 8192).attention, full);
  m.kinds[0].attention.window = 1024;
  // The first 1024 queries meet half the window, the others all of it.
  EXPECT_DOUBLE_EQ(forward_flop_of(m, 8192).attention, full * (1024 * 512 + 7168 * 1024.0) / (8192 * 4096.0));
}

TEST(training_flop, recomputation_adds_attention_or_a_whole_forward_pass) {
  const training_job job{.model = llama_70b(), .global_batch = 2, .sequence = 8192};
  const auto forward = forward_flop_of(job.model, job.sequence);
  EXPECT_DOUBLE_EQ(hardware_flop(job, recomputation::none), model_flop(job));
  EXPECT_DOUBLE_EQ(hardware_flop(job, recomputation::selective) - model_flop(job), 2 * forward.attention);
  EXPECT_DOUBLE_EQ(hardware_flop(job, recomputation::full) - model_flop(job),
                   2 * (forward.attention + forward.products));
}

}  // namespace
}  // namespace ridge::plan::train
