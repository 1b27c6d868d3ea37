// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/inference_memory.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <ridge/plan/model_catalogue.hpp>

#include "measured_data.hpp"

namespace ridge::plan {
namespace {

using testing::Contains;
using testing::Field;
using testing::HasSubstr;

constexpr double gib = 1024.0 * 1024 * 1024;

inference_setup setup_of(const char* name, parallel_layout l = {}) {
  return {.model = *model_named(name), .layout = l, .max_batched_tokens = 8192, .max_sequences = 256};
}

std::vector<inference_rank> ranks_of(const inference_setup& s) {
  auto ranks = inference_memory(s);
  EXPECT_TRUE(ranks.ok());
  return std::move(ranks.value());
}

inference_rank first_of(const inference_setup& s) { return ranks_of(s).front(); }

double of_all_stages(const inference_setup& s) {
  double sum = 0;
  for (const auto& r : ranks_of(s)) sum += r.weights_bytes();
  return sum;
}

TEST(inference_weights, on_one_gpu_are_the_checkpoint) {
  for (const auto* name :
       {"meta-llama/Llama-3.1-8B", "openai/gpt-oss-120b", "deepseek-ai/DeepSeek-V3", "Qwen/Qwen3-0.6B"}) {
    const auto s = setup_of(name);
    EXPECT_NEAR(of_all_stages(s), weight_bytes(s.model), 1) << name;
  }
  EXPECT_DOUBLE_EQ(of_all_stages(setup_of("meta-llama/Llama-3.1-8B")), 16060522496);
}

TEST(inference_weights, in_fp8_leave_embedding_and_head_in_16_bits) {
  auto s = setup_of("meta-llama/Llama-3.1-8B");
  s.weight_format = "fp8";
  const double ends = 2.0 * 128256 * 4096, norms = 65.0 * 4096;
  EXPECT_DOUBLE_EQ(of_all_stages(s), 2 * ends / 2 * 2 + 2 * norms + (8030261248 - ends - norms));
}

TEST(inference_weights, of_experts_only_leave_attention) {
  auto s = setup_of("mistralai/Mixtral-8x7B-v0.1");
  s.weight_format = "int4_g128";
  s.quantize_experts_only = true;
  const auto r = first_of(s);
  const auto counts = count_parameters(s.model);
  EXPECT_DOUBLE_EQ(r.attention_bytes, 2.0 * static_cast<double>(counts.attention));
  EXPECT_DOUBLE_EQ(r.experts_bytes, (0.5 + 20.0 / 8 / 128) * static_cast<double>(counts.experts));
}

TEST(inference_weights, of_few_key_value_heads_are_copied) {
  const double layer_kv = 2.0 * 8192 * 8 * 128;
  const auto at = [](int t) {
    return first_of(setup_of("meta-llama/Llama-3.1-70B", {.tensor = t})).attention_bytes;
  };
  const double heads = 2.0 * 80 * 2 * 8192 * 8192;
  EXPECT_DOUBLE_EQ(at(8), heads / 8 + 2 * 80 * layer_kv / 8);
  EXPECT_DOUBLE_EQ(at(16), heads / 16 + 2 * 80 * layer_kv / 8);
}

// h (q + c + r) of each layer is whole on every tensor rank.
TEST(inference_weights, of_latent_attention_compress_on_every_rank) {
  const auto at = [](int t) {
    return first_of(setup_of("deepseek-ai/DeepSeek-V3", {.tensor = t})).attention_bytes;
  };
  const double compressing = 61.0 * 7168 * (1536 + 512 + 64) * (1 + 4.0 / 16384);
  EXPECT_NEAR(at(8) - at(1) / 8, compressing * 7 / 8, 1);
}

TEST(inference_weights, of_experts_are_divided_by_expert_or_tensor_ranks) {
  const double experts = first_of(setup_of("deepseek-ai/DeepSeek-V3")).experts_bytes;
  EXPECT_DOUBLE_EQ(first_of(setup_of("deepseek-ai/DeepSeek-V3", {.tensor = 8})).experts_bytes, experts / 8);
  EXPECT_DOUBLE_EQ(
      first_of(setup_of("deepseek-ai/DeepSeek-V3", {.tensor = 8, .data = 4, .expert = 32})).experts_bytes,
      experts / 32);
}

TEST(inference_weights, of_stages_are_the_model) {
  const auto whole = setup_of("meta-llama/Llama-3.1-405B");
  EXPECT_DOUBLE_EQ(of_all_stages(setup_of("meta-llama/Llama-3.1-405B", {.pipeline = 4})),
                   of_all_stages(whole));
  const auto ranks = ranks_of(setup_of("meta-llama/Llama-3.1-405B", {.pipeline = 4}));
  EXPECT_GT(ranks.front().embedding_bytes, 0);
  EXPECT_EQ(ranks.front().head_bytes, 0);
  EXPECT_GT(ranks.back().head_bytes, 0);
  EXPECT_EQ(ranks[1].sampler_bytes, 0);
}

// Rows of 512 + 64 elements, 61 layers, on every tensor rank; data-parallel attention gives each its own
// sequences, with attention whole.
TEST(inference_cache, of_latent_attention_is_not_divided_by_tensor_ranks) {
  auto s = setup_of("deepseek-ai/DeepSeek-V3", {.tensor = 8});
  EXPECT_EQ(rates_of(first_of(s).cache).bytes_per_token, 70272);
  const auto shared = *capacity_of(s, ranks_of(s), 141e9, {.sequences = 64, .sequence_tokens = 4096});
  const double attention = first_of(s).attention_bytes;
  s.layout.data_parallel_attention = true;
  const auto own = *capacity_of(s, ranks_of(s), 141e9, {.sequences = 64, .sequence_tokens = 4096});
  EXPECT_DOUBLE_EQ(own.needed_bytes, shared.needed_bytes / 8);
  EXPECT_GT(first_of(s).attention_bytes, 4 * attention);
}

TEST(inference_peak, grows_with_the_step_until_then_sampling_is_the_most) {
  auto s = setup_of("meta-llama/Llama-3.1-8B");
  s.max_batched_tokens = 2048;
  const auto small = first_of(s);
  EXPECT_EQ(small.activations_bytes(), small.sampler_bytes);
  s.max_batched_tokens = 65536;
  const auto large = first_of(s);
  EXPECT_EQ(large.activations_bytes(), large.forward_bytes);
  EXPECT_DOUBLE_EQ(large.forward_bytes, 2.0 * 65536 * (2 * 4096 + 3 * 14336));
}

// vLLM 0.6.4 on an H100 (vLLM pull request 10511): the engine profiled 1.26 GiB, with one tensor rank and
// with two. 8192 tokens, 256 sequences. Our constant is of another version and GPU.
TEST(inference_peak, of_llama_3_is_what_another_vllm_measured) {
  for (const int t : {1, 2}) {
    const auto r = first_of(setup_of("meta-llama/Llama-3.1-8B", {.tensor = t}));
    EXPECT_NEAR(r.activations_bytes() / gib, 1.26, 0.3) << t;
  }
}

// vLLM 0.19 on an RTX 4090: its log has all settings and the blocks it made.
TEST(inference_capacity, is_what_vllm_made_on_a_4090) {
  const auto file = measured_data("serving/vllm_rtx4090/Llama-3.1-8B/vllm/meta.json");
  if (file.empty()) GTEST_SKIP() << "no serving data: set RIDGE_DATA";
  std::ifstream in(file);
  const auto log = nlohmann::json::parse(in);
  auto s = setup_of("meta-llama/Llama-3.1-8B");
  s.max_batched_tokens = log["engine_kwargs"]["max_num_batched_tokens"].get<std::int64_t>();
  s.max_sequences = log["engine_kwargs"]["max_num_seqs"].get<std::int64_t>();
  s.block_tokens = log["kv_cache"]["block_size"].get<std::int64_t>();
  s.utilization = log["kv_cache"]["gpu_memory_utilization"].get<double>();
  s.graph_bytes_per_layer = 0;  // vLLM counts graphs since 0.21
  const double memory = log["hardware"]["device_total_memory_bytes"].get<double>();
  const auto c = capacity_of(s, ranks_of(s), memory, {.sequences = 1, .sequence_tokens = 32768});
  const double made = log["kv_cache"]["num_kv_tokens"].get<double>();
  EXPECT_NEAR(static_cast<double>(c->tokens) / made, 1, 0.02);
  EXPECT_EQ(c->sequences, 1);
}

TEST(inference_capacity, of_uneven_stages_is_that_of_the_fullest) {
  const auto s = setup_of("meta-llama/Llama-3.1-405B", {.tensor = 4, .pipeline = 4});
  const auto ranks = ranks_of(s);
  const auto c = *capacity_of(s, ranks, 141e9, {.sequences = 8, .sequence_tokens = 8192});
  for (const auto& r : ranks) EXPECT_LE(r.weights_bytes(), ranks[c.stage].weights_bytes() + 3e9);
  EXPECT_TRUE(c.fits);
  EXPECT_FALSE(capacity_of(s, ranks, 55e9, {.sequences = 8, .sequence_tokens = 8192})->fits);
  EXPECT_GT(capacity_of(s, ranks, 30e9, {})->lacking_bytes, 0);
}

TEST(inference_memory, refuses_what_cannot_be) {
  EXPECT_THAT(inference_memory(setup_of("meta-llama/Llama-3.1-8B", {.tensor = 3})).why().message,
              HasSubstr("32"));
  EXPECT_THAT(inference_memory(setup_of("meta-llama/Llama-3.1-8B", {.pipeline = 40})).why().message,
              HasSubstr("40 pipeline stages"));
  EXPECT_FALSE(inference_memory(setup_of("meta-llama/Llama-3.1-8B", {.pipeline = 0})).ok());
  EXPECT_FALSE(inference_memory(setup_of("meta-llama/Llama-3.1-8B", {.tensor = -1})).ok());
  auto s = setup_of("meta-llama/Llama-3.1-8B");
  s.kv_format = "bf61";
  EXPECT_FALSE(inference_memory(s).ok());
  s.kv_format = "bf16";
  s.max_batched_tokens = 0;
  EXPECT_THAT(inference_memory(s).why().message, HasSubstr("max batched tokens"));
}

TEST(inference_advice, frees_what_it_says_and_puts_what_fits_first) {
  const auto s = setup_of("meta-llama/Llama-3.1-70B", {.tensor = 2});
  const inference_load load{.sequences = 32, .sequence_tokens = 8192};
  const double memory = 80 * gib;
  const auto now = *capacity_of(s, ranks_of(s), memory, load);
  ASSERT_FALSE(now.fits);
  const auto all = advise(s, memory, load);
  ASSERT_FALSE(all.empty());
  EXPECT_TRUE(all.front().fits);
  EXPECT_EQ(all.front().setup.layout.gpus(), 2) << "fits by formats alone";
  for (const auto& a : all) {
    const auto then = *capacity_of(a.setup, ranks_of(a.setup), memory, load);
    EXPECT_DOUBLE_EQ(a.spare_bytes, then.spare_bytes()) << a.change;
    EXPECT_DOUBLE_EQ(a.saved_bytes, then.spare_bytes() - now.spare_bytes()) << a.change;
    EXPECT_EQ(a.fits, then.fits);
  }
  EXPECT_THAT(all, Contains(Field(&inference_advice::change, "fp8 KV cache")));
}

TEST(inference_explained, adds_up) {
  const auto s = setup_of("Qwen/Qwen3-30B-A3B", {.tensor = 2});
  const auto how = *explain_inference_memory(s, 80 * gib, {.sequences = 16, .sequence_tokens = 4096});
  double sum = 0;
  for (const auto* id : {"embedding_bytes", "head_bytes", "attention_bytes", "feed_forward_bytes",
                         "experts_bytes", "other_weights_bytes"})
    sum += find(how, id)->value;
  EXPECT_DOUBLE_EQ(find(how, "weights_bytes")->value, sum);
  EXPECT_EQ(find(how, "kv_bytes_per_token")->value, 98304.0 / 2);
}

}  // namespace
}  // namespace ridge::plan
