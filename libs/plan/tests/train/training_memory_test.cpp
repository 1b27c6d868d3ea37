// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/train/training_memory.hpp>

#include <numeric>

#include <gtest/gtest.h>

#include <ridge/plan/model_catalogue.hpp>

#include "made_up_models.hpp"

namespace ridge::plan::train {
namespace {

training_job job_of(const char* name, std::int64_t batch = 64, std::int64_t sequence = 8192) {
  return {.model = *model_named(name), .global_batch = batch, .sequence = sequence};
}

training_plan plan_of(parallel_layout l, sharding shard = sharding::none) {
  return {.layout = l, .shard = shard};
}

double states_of(const training_job& job, const memory_settings& s, const training_plan& p) {
  return memory_model(job, s).worst(p).states_bytes();
}

constexpr double llama_8b = 8030261248;

// Rajbhandari et al. (2020), ZeRO, figure 1: 2 + 2 + 12 bytes per parameter, divided level by level.
TEST(states, of_zero_levels_are_those_of_the_paper) {
  const auto job = job_of("meta-llama/Llama-3.1-8B");
  auto s = tests::bare();
  s.gradient_bytes = 2;
  const parallel_layout l{.data = 8};
  EXPECT_DOUBLE_EQ(states_of(job, s, plan_of(l)), llama_8b * 16);
  EXPECT_DOUBLE_EQ(states_of(job, s, plan_of(l, sharding::optimizer)), llama_8b * (4 + 12.0 / 8));
  EXPECT_DOUBLE_EQ(states_of(job, s, plan_of(l, sharding::gradients)), llama_8b * (2 + 14.0 / 8));
  EXPECT_DOUBLE_EQ(states_of(job, s, plan_of(l, sharding::weights)), llama_8b * 2);
}

TEST(states, of_the_distributed_optimizer_with_fp32_gradients_are_6_and_12) {
  const auto job = job_of("meta-llama/Llama-3.1-8B");
  EXPECT_DOUBLE_EQ(states_of(job, tests::bare(), plan_of({.data = 16}, sharding::optimizer)),
                   llama_8b * (6 + 12.0 / 16));
  EXPECT_DOUBLE_EQ(states_of(job, tests::bare(), plan_of({.context = 4, .data = 4}, sharding::optimizer)),
                   llama_8b * (6 + 12.0 / 16));
}

TEST(states, of_a_shard_group_are_divided_by_the_group_alone) {
  auto s = tests::bare();
  s.shard_group = 8;
  EXPECT_DOUBLE_EQ(states_of(job_of("meta-llama/Llama-3.1-8B"), s, plan_of({.data = 64}, sharding::weights)),
                   llama_8b * 18 / 8);
}

TEST(states, follow_optimizer_and_formats) {
  const auto job = job_of("meta-llama/Llama-3.1-8B");
  const auto bytes = [&](auto change) {
    auto s = tests::bare();
    change(s);
    return states_of(job, s, plan_of({})) / llama_8b;
  };
  EXPECT_DOUBLE_EQ(bytes([](auto&) {}), 18);
  EXPECT_DOUBLE_EQ(bytes([](auto& s) { s.optimizer = optimizer_kind::sgd; }), 14);
  EXPECT_DOUBLE_EQ(bytes([](auto& s) { s.optimizer = optimizer_kind::adam_8bit; }), 10 + 2 * (1 + 4.0 / 256));
  EXPECT_DOUBLE_EQ(bytes([](auto& s) { s.moving_average = true; }), 22);
  EXPECT_DOUBLE_EQ(bytes([](auto& s) { s.moment_bytes = 2; }), 14);
  EXPECT_DOUBLE_EQ(bytes([](auto& s) { s.weight_bytes = 1, s.master_bytes = 2; }), 15);
}

// Matrices of layers have one moment, embedding, head and norms two.
TEST(states, of_muon_spare_a_moment_of_matrices) {
  const double embeddings = 2.0 * 128256 * 4096;
  const double norms = 65.0 * 4096;
  auto s = tests::bare();
  s.optimizer = optimizer_kind::muon;
  EXPECT_DOUBLE_EQ(states_of(job_of("meta-llama/Llama-3.1-8B"), s, plan_of({})),
                   llama_8b * 14 + (embeddings + norms) * 4);
}

// r (in + out) of each product: Hu et al. (2021). Llama 8B, rank 16: the 41.9 M that PEFT prints for all
// linear layers.
TEST(states, of_adapters_train_them_alone) {
  auto s = tests::bare();
  s.adapter_rank = 16;
  const double adapters = 41943040;
  EXPECT_DOUBLE_EQ(states_of(job_of("meta-llama/Llama-3.1-8B"), s, plan_of({})),
                   llama_8b * 2 + adapters * 18);
}

TEST(states, of_key_value_heads_are_copied_beyond_their_number) {
  const auto job = job_of("meta-llama/Llama-3.1-70B");
  const double h = 8192, layer_kv = 2 * h * 8 * 128;
  const double rest = 70553706496 - 80 * layer_kv - 161 * h;
  const auto weights = [&](int t) {
    return memory_model(job, tests::bare()).worst(plan_of({.tensor = t})).weights_bytes;
  };
  EXPECT_NEAR(weights(8), 2 * (rest / 8 + 80 * layer_kv / 8 + 161 * h), 1);
  EXPECT_NEAR(weights(16), 2 * (rest / 16 + 80 * layer_kv / 8 + 161 * h), 1);
}

// h (q + c + r) of each layer, the prediction layer's too, stands whole on every tensor rank.
TEST(states, of_latent_attention_compress_on_every_rank) {
  const memory_model model(job_of("deepseek-ai/DeepSeek-V3", 4096), tests::bare());
  const auto at = [&](int t) { return model.worst(plan_of({.tensor = t})).weights_bytes / 2; };
  const double compressing = 62.0 * 7168 * (1536 + 512 + 64);
  const double routers = 59.0 * 7168 * 256, norms = 124.0 * 7168;
  EXPECT_NEAR(at(8) - at(1) / 8, (compressing + routers + norms) * 7 / 8, 1e5);
}

// DeepSeek-V3, 58 layers of 256 experts of 3 · 7168 · 2048, and the prediction layer's: EP 64, one stage.
TEST(states, of_experts_are_divided_by_expert_ranks_and_their_own_data_ranks) {
  auto s = tests::bare();
  auto plan = plan_of({.data = 512, .expert = 64}, sharding::optimizer);
  const double experts = 59.0 * 256 * 3 * 7168 * 2048 / 64;
  const auto m = memory_model(job_of("deepseek-ai/DeepSeek-V3", 4096), s).worst(plan);
  EXPECT_DOUBLE_EQ(m.expert_weights_bytes, experts * 2);
  EXPECT_DOUBLE_EQ(m.expert_gradients_bytes, experts * 4);
  EXPECT_DOUBLE_EQ(m.expert_optimizer_bytes, experts * 12 / (512.0 / 64));
  plan.layout = {.tensor = 8, .data = 64, .expert = 32, .expert_tensor = 2};
  const auto tensor = memory_model(job_of("deepseek-ai/DeepSeek-V3", 4096), s).worst(plan);
  EXPECT_DOUBLE_EQ(tensor.expert_optimizer_bytes, experts * 12 / (8.0 * 64 / 64));
}

// All ranks together hold the model once, apart from tensor-parallel copies.
TEST(states, of_all_stages_are_the_models_parameters) {
  for (const auto* name : {"meta-llama/Llama-3.1-70B", "Qwen/Qwen3-235B-A22B", "deepseek-ai/DeepSeek-V3"}) {
    const auto job = job_of(name);
    const auto counts = count_parameters(job.model);
    for (const int p : {1, 2, 7, 16}) {
      const auto stages = memory_model(job, tests::bare()).by_stage(plan_of({.pipeline = p}));
      const double bytes = std::accumulate(stages.begin(), stages.end(), 0.0, [](double sum, const auto& m) {
        return sum + m.weights_bytes + m.expert_weights_bytes;
      });
      // The prediction layer's own output norm is the final norm here.
      const double prediction = static_cast<double>(counts.prediction_layers);
      EXPECT_NEAR(bytes / 2, static_cast<double>(counts.total()) + prediction, 3.0 * 7168)
          << name << " " << p;
    }
  }
}

TEST(states, of_a_tied_head_are_a_copy_on_the_last_stage) {
  auto job = tests::job_of({tests::dense_layer()}, {0, 0});
  job.model.tied_embeddings = true;
  const memory_model model(job, tests::bare());
  const double embedding = 1000.0 * 64 * 2;
  const double layer = model.by_stage(plan_of({.pipeline = 2}))[0].weights_bytes - embedding;
  EXPECT_DOUBLE_EQ(model.worst(plan_of({})).weights_bytes, 2 * layer + embedding + 128);
  EXPECT_DOUBLE_EQ(model.by_stage(plan_of({.pipeline = 2}))[1].weights_bytes, layer + embedding + 128);
}

}  // namespace
}  // namespace ridge::plan::train
