// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/engine_budget.hpp>
#include <ridge/plan/engine_steps.hpp>

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ridge/plan/model_catalogue.hpp>

namespace ridge::plan {
namespace {

using testing::HasSubstr;
constexpr double one_gib = 1073741824;

std::vector<kv_part> parts_of(std::string_view name, int tensor = 1) {
  return kv_parts(*model_named(name), *number_format_named("bf16"), {.tensor = tensor});
}

double two_decimals(double v) { return std::round(v * 100) / 100; }

// What vLLM logged: "Available KV cache memory: G GiB" and "# GPU blocks: N" or "GPU KV cache size: T
// tokens".
struct logged {
  const char* model;
  double gib;
  std::int64_t blocks, tokens;
};

class vllm_log : public testing::TestWithParam<logged> {};

TEST_P(vllm_log, blocks_follow_from_the_memory) {
  const auto& log = GetParam();
  const auto parts = parts_of(log.model);
  const auto at = [&](double budget) { return capacity_of(parts, {.budget_bytes = budget}); };
  // The log rounds to 0.01 GiB: its count lies between those of both ends, and the count's own memory rounds
  // to it.
  EXPECT_LE(at((log.gib - 0.005) * one_gib).blocks, log.blocks);
  EXPECT_GE(at((log.gib + 0.005) * one_gib).blocks, log.blocks);
  const double exact = static_cast<double>(log.blocks) * at(one_gib).block_bytes;
  EXPECT_EQ(two_decimals(exact / one_gib), log.gib);
  EXPECT_EQ(at(exact).blocks, log.blocks);
  EXPECT_EQ(at(exact - 1).blocks, log.blocks - 1);
  EXPECT_EQ(at(exact).tokens, log.tokens);
}

// Logs of vLLM; Llama: vllm-project/vllm#10517.
INSTANTIATE_TEST_SUITE_P(vllm, vllm_log,
                         testing::Values(logged{"Qwen/Qwen3-1.7B", 18.78, 10991, 175856},
                                         logged{"meta-llama/Llama-3.1-8B", 3.81, 1952, 31232},
                                         logged{"meta-llama/Llama-3.1-8B", 2.89, 1478, 23648}));

// LLMServingSim's run on an RTX 4090: 2,588 blocks, 41,408 tokens of Llama-3.1-8B.
TEST(cache_capacity, tokens_are_blocks_times_their_size) {
  const auto c = capacity_of(parts_of("meta-llama/Llama-3.1-8B"), {.budget_bytes = 2588.5 * 131072 * 16});
  EXPECT_EQ(c.blocks, 2588);
  EXPECT_EQ(c.tokens, 41408);
}

TEST(cache_capacity, groups_of_hybrids_share_one_pool) {
  // 12 layers with windows and 12 without: two block tables of 12 layers.
  const auto c = capacity_of(parts_of("openai/gpt-oss-20b"),
                             {.budget_bytes = 10 * one_gib, .sequence_tokens = 131072, .step_tokens = 8192});
  EXPECT_EQ(c.groups, 2);
  EXPECT_EQ(c.group_layers, 12);
  EXPECT_EQ(c.block_bytes, 12 * 2048 * 16);
  EXPECT_EQ(c.blocks, 27306);
  EXPECT_EQ(c.tokens, 27306 / 2 * 16);
  EXPECT_EQ(c.blocks_a_sequence, 131072 / 16 + (127 + 8192 + 15) / 16 + 1);
  EXPECT_DOUBLE_EQ(c.concurrency, 27306.0 / static_cast<double>(c.blocks_a_sequence));
}

TEST(cache_capacity, latent_models_have_one_group) {
  const auto c = capacity_of(parts_of("deepseek-ai/DeepSeek-V3", 8),
                             {.budget_bytes = 70272.0 * 64 * 100, .block_tokens = 64});
  EXPECT_EQ(c.groups, 1);
  EXPECT_EQ(c.blocks, 100);
}

// Memory as the engines see it, and what they say of it in their sources.
TEST(engine_steps, are_those_that_engines_choose_by_memory) {
  const auto of = [](cache_engine e, const char* name, double memory_gib, int tensor = 1) {
    return engine_steps_of(e, {.name = name, .memory_bytes = memory_gib * one_gib}, {.tensor = tensor});
  };
  const auto vllm = cache_engine::vllm, sglang = cache_engine::sglang;
  EXPECT_EQ(of(vllm, "H100 SXM", 80).max_batched_tokens, 8192);
  EXPECT_EQ(of(vllm, "H100 SXM", 80).max_sequences, 1024);
  EXPECT_EQ(of(vllm, "A100 SXM 80GB", 80).max_batched_tokens, 2048);
  EXPECT_EQ(of(vllm, "L40S", 48).max_sequences, 256);
  EXPECT_EQ(of(sglang, "RTX 4090", 24).max_batched_tokens, 2048);
  EXPECT_EQ(of(sglang, "L40S", 48).max_batched_tokens, 4096);
  EXPECT_EQ(of(sglang, "H200", 141).max_batched_tokens, 8192);
  EXPECT_EQ(of(sglang, "B200", 180).max_batched_tokens, 16384);
  // 512 + 1.5 * 8192 + 2 * 256 + 1024 / 8 MiB of 80 GiB; with four ranks 2 * 512 and 4 / 8.
  EXPECT_DOUBLE_EQ(of(sglang, "H100 SXM", 80).memory_share, 0.836);
  EXPECT_DOUBLE_EQ(of(sglang, "H100 SXM", 80, 4).memory_share, 0.825);
  EXPECT_EQ(of(cache_engine::trtllm, "H100 SXM", 80).max_sequences, 2048);
}

TEST(engine_steps, sglang_runs_more_where_more_contexts_fit) {
  EXPECT_EQ(running_requests(420'864, 131'072), 2048);
  EXPECT_EQ(running_requests(700'000, 131'072), 2734);
  EXPECT_EQ(running_requests(10'000'000, 131'072), 4096);
  EXPECT_EQ(running_requests(10'000'000, 0), 2048);
}

engine_budget_question h100(cache_engine e) {
  return {.engine = e,
          .gpu_bytes = 80 * one_gib,
          .share = 0.9,
          .weight_bytes = 16 * one_gib,
          .activation_bytes = 2 * one_gib,
          .graph_bytes = 1 * one_gib,
          .context_bytes = 1 * one_gib};
}

TEST(engine_budget, each_engine_has_its_rule) {
  EXPECT_DOUBLE_EQ(engine_budget_of(h100(cache_engine::vllm))->bytes, (80 * 0.9 - 16 - 2 - 1 - 1) * one_gib);
  EXPECT_DOUBLE_EQ(engine_budget_of(h100(cache_engine::sglang))->bytes, (79 * 0.9 - 16) * one_gib);
  EXPECT_DOUBLE_EQ(engine_budget_of(h100(cache_engine::trtllm))->bytes,
                   (80 - 16 - 2 - 1 - 1) * 0.9 * one_gib);
}

TEST(engine_budget, steps_add_up_and_name_flags) {
  for (const auto e : {cache_engine::vllm, cache_engine::sglang, cache_engine::trtllm}) {
    const auto b = *engine_budget_of(h100(e));
    double sum = 0;
    bool names_a_flag = false;
    for (const auto& s : b.steps) {
      sum += s.bytes;
      EXPECT_FALSE(s.why.empty());
      names_a_flag |= !s.flag.empty();
    }
    EXPECT_DOUBLE_EQ(sum, b.bytes) << name_of(e);
    EXPECT_TRUE(names_a_flag);
  }
}

TEST(engine_budget, says_what_lacks) {
  auto q = h100(cache_engine::vllm);
  q.weight_bytes = 100 * one_gib;
  EXPECT_EQ(engine_budget_of(q)->bytes, 0);
  EXPECT_DOUBLE_EQ(engine_budget_of(q)->lacking_bytes, 32 * one_gib);
  q.share = 1.5;
  EXPECT_THAT(engine_budget_of(q).why().message, HasSubstr("1.5"));
  EXPECT_THAT(cache_engine_named("vlm").why().remedy, HasSubstr("sglang"));
}

TEST(engine_budget, share_needed_gives_exactly_the_cache) {
  for (const auto e : {cache_engine::vllm, cache_engine::sglang, cache_engine::trtllm}) {
    auto q = h100(e);
    q.share = share_needed(q, 10 * one_gib);
    EXPECT_NEAR(engine_budget_of(q)->bytes, 10 * one_gib, 16) << name_of(e);
  }
}

TEST(engine_budget, tensor_ranks_grow_until_it_fits) {
  const auto llama = *model_named("meta-llama/Llama-3.1-70B");
  kv_question k{.tokens = 8192, .batch = 16, .format = *number_format_named("bf16")};
  auto q = h100(cache_engine::vllm);
  q.weight_bytes = weight_bytes(llama);  // 131 GiB; two ranks leave 2 GiB, four leave 35
  EXPECT_EQ(tensor_ranks_needed(llama, k, q), 4);
  k.batch = 1;
  EXPECT_EQ(tensor_ranks_needed(llama, k, q), 2);
  k.batch = 1 << 20;
  EXPECT_EQ(tensor_ranks_needed(llama, k, q), 0);
}

TEST(weight_bytes, are_those_of_published_checkpoints) {
  EXPECT_NEAR(weight_bytes(*model_named("openai/gpt-oss-120b")) / one_gib, 60.7, 0.1);
  EXPECT_NEAR(weight_bytes(*model_named("openai/gpt-oss-20b")) / one_gib, 12.8, 0.05);
  EXPECT_EQ(weight_bytes(*model_named("meta-llama/Llama-3.1-8B")), 16060522496);
  EXPECT_EQ(*weight_bytes(*model_named("meta-llama/Llama-3.1-8B"), "fp32"), 2 * 16060522496.0);
}

}  // namespace
}  // namespace ridge::plan
