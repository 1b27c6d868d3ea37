// SPDX-License-Identifier: Apache-2.0
#include <numeric>

#include <gtest/gtest.h>

#include <ridge/plan/model_catalogue.hpp>

#include "made_up_models.hpp"

namespace ridge::plan::train {
namespace {

training_job short_job(const char* name) {
  return {.model = *model_named(name), .global_batch = 64, .sequence = 4096};
}

double kept(const training_job& job, const training_plan& plan, const memory_settings& s = {}) {
  const auto tensors = kept_by_layer(job, s, job.model.kinds.back(), plan);
  return std::accumulate(tensors.begin(), tensors.end(), 0.0,
                         [](double sum, const auto& t) { return sum + t.bytes_per_token; });
}

double kept_of(const training_job& job, const char* name, const training_plan& plan) {
  for (const auto& t : kept_by_layer(job, {}, job.model.kinds.back(), plan))
    if (t.name == name) return t.bytes_per_token;
  return -1;
}

// Two norms and their outputs, queries, grouped keys and values, output, log-sum-exp, gate and up, product.
TEST(kept, of_a_llama_layer_is_counted_by_hand) {
  const double h = 4096, i = 14336;
  EXPECT_DOUBLE_EQ(kept(short_job("meta-llama/Llama-3.1-8B"), {}),
                   4 * 2 * h + 2 * h + 2 * 2 * 1024 + 2 * h + 4 * 32 + 4 * i + 2 * i);
}

TEST(kept, of_keys_and_values_counts_their_own_heads) {
  const auto job = short_job("meta-llama/Llama-3.1-70B");
  training_plan plan;
  EXPECT_EQ(kept_of(job, "keys", plan), 2 * 8 * 128);
  plan.layout.tensor = 4;
  EXPECT_EQ(kept_of(job, "keys", plan), 2 * 2 * 128);
  plan.layout.tensor = 16;
  EXPECT_EQ(kept_of(job, "keys", plan), 2 * 128);
  EXPECT_EQ(kept_of(job, "queries", plan), 2 * 4 * 128);
}

TEST(kept, is_divided_by_tensor_ranks_all_over_only_with_sequence_parallelism) {
  const auto job = short_job("meta-llama/Llama-3.1-8B");
  training_plan plan;
  plan.layout.tensor = 8;
  EXPECT_DOUBLE_EQ(kept(job, plan), kept(job, {}) / 8);
  plan.sequence_parallel = false;
  EXPECT_DOUBLE_EQ(kept(job, plan), 8 * 4096.0 + (kept(job, {}) - 8 * 4096.0) / 8);
}

TEST(kept, with_full_recomputation_is_the_layers_input) {
  const auto job = short_job("meta-llama/Llama-3.1-8B");
  EXPECT_DOUBLE_EQ(kept(job, {.recompute = recomputation::full}), 2 * 4096);
}

TEST(kept, selective_spares_scores_and_if_told_cheap_outputs) {
  auto job = short_job("meta-llama/Llama-3.1-8B");
  job.fused_attention = false;
  const training_plan plan{.recompute = recomputation::selective};
  EXPECT_DOUBLE_EQ(kept(job, {}) - kept(job, plan), 2.0 * 32 * 4096);
  EXPECT_DOUBLE_EQ(kept(job, plan) - kept(job, plan, {.recompute_pointwise = true}),
                   2 * 2 * 4096 + 2 * 14336);
}

TEST(kept, of_inputs_in_fp8_is_a_byte) {
  const auto job = short_job("meta-llama/Llama-3.1-8B");
  // QKV, first and second product lose a byte; the output projection keeps an fp8 copy beside the output.
  EXPECT_DOUBLE_EQ(kept(job, {}) - kept(job, {}, {.fp8_activations = true}), 2 * 4096 + 14336 - 4096);
}

// Mixtral: 2 of 8 experts, each token copied to both.
TEST(kept, of_experts_has_a_row_for_each_of_a_token) {
  const auto job = short_job("mistralai/Mixtral-8x7B-v0.1");
  const double h = 4096, i = 14336;
  const double attention = 4 * h + 2 * h + 2 * 2 * 1024 + 2 * h + 4 * 32;
  EXPECT_DOUBLE_EQ(kept(job, {}), attention + 4 * h + 8 * 8 + 2 * (2 * h + 4 * i + 2 * i));
  EXPECT_DOUBLE_EQ(kept(job, {}, {.expert_imbalance = 1.5}) - kept(job, {}), 0.5 * 2 * (2 * h + 6 * i));
}

// Half of each expert on two ranks: rows are whole on both, intermediate values are halved and doubled.
TEST(kept, of_divided_experts_doubles_rows) {
  const auto job = short_job("mistralai/Mixtral-8x7B-v0.1");
  training_plan plan;
  plan.layout.tensor = plan.layout.expert_tensor = 2;
  EXPECT_EQ(kept_of(job, "tokens sent to experts", plan), 2 * 2 * 4096);
  EXPECT_EQ(kept_of(job, "inputs of the experts' activation function", plan), 4 * 2 * 14336 / 2);
}

TEST(kept, of_latent_attention_has_compressed_rows_on_every_rank) {
  const auto job = short_job("deepseek-ai/DeepSeek-V3");
  training_plan plan{.sequence_parallel = false};
  plan.layout.tensor = 8;
  EXPECT_EQ(kept_of(job, "compressed keys and values and their norm's output", plan), 2 * (2 * 512 + 64));
  EXPECT_EQ(kept_of(job, "keys", plan), 2 * 16 * 192);
  EXPECT_EQ(kept_of(job, "values", plan), 2 * 16 * 128);
}

}  // namespace
}  // namespace ridge::plan::train
