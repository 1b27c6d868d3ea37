// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/kv_cache.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ridge/plan/model_catalogue.hpp>

namespace ridge::plan {
namespace {

using testing::HasSubstr;

number_format format(std::string_view name) { return *number_format_named(name); }

model_shape model(std::string_view name) { return *model_named(name); }

kv_cache sized(std::string_view name, const kv_question& q) {
  auto c = size_kv_cache(model(name), q);
  EXPECT_TRUE(c.ok()) << c.why().text();
  return *c;
}

kv_question bf16(std::int64_t tokens = 4096, std::int64_t batch = 1) {
  return {.tokens = tokens, .batch = batch, .format = format("bf16")};
}

TEST(kv_cache, rows_of_a_token_are_the_published_ones) {
  const std::pair<const char*, double> rows[] = {
      {"meta-llama/Llama-3.1-8B", 131072},   {"meta-llama/Llama-3.1-70B", 327680},
      {"meta-llama/Llama-3.1-405B", 516096}, {"mistralai/Mixtral-8x7B-v0.1", 131072},
      {"Qwen/Qwen3-1.7B", 114688},           {"Qwen/Qwen3-30B-A3B", 98304},
      {"openai/gpt-oss-20b", 49152},         {"openai/gpt-oss-120b", 73728},
      {"deepseek-ai/DeepSeek-V3", 70272}};
  for (const auto& [name, bytes] : rows) EXPECT_EQ(sized(name, bf16()).bytes_per_token, bytes) << name;
}

TEST(kv_cache, windows_stop_growing) {
  const auto c = sized("openai/gpt-oss-20b", bf16(1000));
  EXPECT_EQ(c.growth_bytes_per_token, 24576);
  EXPECT_EQ(c.fixed_bytes_per_sequence, 3145728);
  EXPECT_EQ(c.total_bytes, 24576.0 * 1000 + 3145728);
  EXPECT_EQ(sized("openai/gpt-oss-20b", bf16(100)).total_bytes, 49152.0 * 100);
  const auto large = sized("openai/gpt-oss-120b", bf16());
  EXPECT_EQ(large.growth_bytes_per_token, 36864);
  EXPECT_EQ(large.fixed_bytes_per_sequence, 4718592);
}

TEST(kv_cache, a_window_in_blocks_may_begin_inside_one) {
  kv_question q = bf16(1000);
  q.block_tokens = 16;
  // 12 layers of 63 blocks, 12 of 128/16 + 1; 2,048 B per row.
  EXPECT_EQ(sized("openai/gpt-oss-20b", q).allocated_bytes, 12.0 * 2048 * 16 * (63 + 9));
}

TEST(kv_cache, blocks_round_each_sequence_up) {
  kv_question q = bf16(17, 3);
  q.block_tokens = 16;
  const auto c = sized("meta-llama/Llama-3.1-8B", q);
  EXPECT_EQ(c.total_bytes, 3.0 * 17 * 131072);
  EXPECT_EQ(c.allocated_bytes, 3.0 * 32 * 131072);
}

TEST(kv_cache, tensor_ranks_split_heads_until_each_has_one) {
  auto q = bf16();
  q.layout.tensor = 8;
  EXPECT_EQ(sized("meta-llama/Llama-3.1-70B", q).bytes_per_token_per_gpu, 40960);
  EXPECT_EQ(sized("Qwen/Qwen3-30B-A3B", q).bytes_per_token_per_gpu, 98304.0 / 4);
  q.layout.tensor = 16;
  const auto c = sized("meta-llama/Llama-3.1-70B", q);
  EXPECT_EQ(c.bytes_per_token_per_gpu, 40960);
  ASSERT_EQ(c.warnings.size(), 1U);
  EXPECT_THAT(c.warnings.front(), HasSubstr("each head is kept 2 times"));
}

TEST(kv_cache, tensor_ranks_do_not_split_latent_rows) {
  for (const int ranks : {1, 2, 8, 16}) {
    auto q = bf16();
    q.layout.tensor = ranks;
    EXPECT_EQ(sized("deepseek-ai/DeepSeek-V3", q).bytes_per_token_per_gpu, 70272) << ranks;
  }
}

TEST(kv_cache, data_parallel_attention_splits_sequences_instead) {
  auto q = bf16(100, 16);
  q.layout.tensor = 8;
  EXPECT_EQ(sized("deepseek-ai/DeepSeek-V3", q).total_bytes_per_gpu, 16.0 * 100 * 70272);
  q.layout.data_parallel_attention = true;
  EXPECT_EQ(sized("deepseek-ai/DeepSeek-V3", q).total_bytes_per_gpu, 2.0 * 100 * 70272);
  EXPECT_EQ(sized("meta-llama/Llama-3.1-70B", q).total_bytes_per_gpu, 2.0 * 100 * 327680);
}

TEST(kv_cache, a_stage_keeps_its_layers) {
  auto q = bf16();
  q.layout.pipeline = 4;
  EXPECT_EQ(sized("meta-llama/Llama-3.1-70B", q).bytes_per_token_per_gpu, 327680.0 / 4);
  // 126 layers on 4 stages: 31, 32, 32, 31.
  EXPECT_EQ(sized("meta-llama/Llama-3.1-405B", q).bytes_per_token_per_gpu, 32.0 * 4096);
  q.layout.context = 2;
  EXPECT_EQ(sized("meta-llama/Llama-3.1-70B", q).bytes_per_token_per_gpu, 327680.0 / 8);
}

TEST(kv_cache, stages_are_those_of_vllm) {
  const std::int64_t sizes[] = {15, 16, 16, 15};  // 62 layers
  std::int64_t at = 0;
  for (int s = 0; s < 4; ++s) {
    const auto stage = stage_of(62, 4, s);
    EXPECT_EQ(stage.first, at);
    EXPECT_EQ(stage.last - stage.first, sizes[s]);
    at = stage.last;
  }
  EXPECT_EQ(at, 62);
}

TEST(kv_cache, a_shared_prefix_is_kept_once) {
  auto q = bf16(1000, 10);
  q.prefix_tokens = 600;
  EXPECT_EQ(sized("meta-llama/Llama-3.1-8B", q).total_bytes, 131072.0 * (10 * 1000 - 9 * 600));
  q.prefix_sequences = 4;
  EXPECT_EQ(sized("meta-llama/Llama-3.1-8B", q).total_bytes, 131072.0 * (10 * 1000 - 3 * 600));
  q.block_tokens = 64;  // 9 whole blocks of the prefix can be shared, 16 hold a sequence
  EXPECT_EQ(sized("meta-llama/Llama-3.1-8B", q).allocated_bytes, 131072.0 * 64 * (10 * 16 - 3 * 9));
}

TEST(kv_cache, formats_bring_their_scales) {
  auto q = bf16();
  q.format = format("fp8");
  EXPECT_EQ(sized("meta-llama/Llama-3.1-70B", q).bytes_per_token, 163840);
  q.format = format("nvfp4");
  EXPECT_EQ(sized("meta-llama/Llama-3.1-70B", q).bytes_per_token, 163840 * 0.5625);
  q.format = format("fp8_mla");
  EXPECT_DOUBLE_EQ(sized("deepseek-ai/DeepSeek-V3", q).bytes_per_token, 61.0 * 656);
}

TEST(kv_cache, overhead_is_put_on_the_allocation) {
  auto q = bf16(100);
  q.overhead = 0.1;
  const auto c = sized("meta-llama/Llama-3.1-8B", q);
  EXPECT_EQ(c.total_bytes, 13107200);
  EXPECT_DOUBLE_EQ(c.allocated_bytes, 13107200 * 1.1);
}

TEST(kv_cache, hidden_size_alone_counts_every_head) {
  const auto every = model_of_sizes({.layers = 80, .hidden = 8192});
  ASSERT_TRUE(every.ok());
  ASSERT_EQ(every->doubts.size(), 1U);
  kv_question q{.tokens = 4096, .batch = 8, .format = format("fp8")};
  EXPECT_EQ(size_kv_cache(*every, q)->total_bytes, 40.0 * 1073741824);
  const auto grouped = model_of_sizes({.layers = 80, .hidden = 8192, .kv_heads = 8, .head_dim = 128});
  EXPECT_TRUE(grouped->doubts.empty());
  EXPECT_EQ(size_kv_cache(*grouped, q)->total_bytes, 5.0 * 1073741824);
}

TEST(kv_cache, refuses_what_makes_no_sense) {
  const auto llama = model("meta-llama/Llama-3.1-8B");
  const auto refused = [&](kv_question q) { return size_kv_cache(llama, q).why().message; };
  EXPECT_THAT(refused(bf16(0)), HasSubstr("tokens: 0"));
  EXPECT_THAT(refused(bf16(10, -1)), HasSubstr("batch: -1"));
  EXPECT_THAT(refused({.tokens = 10}), HasSubstr("bytes per element: 0"));
  auto q = bf16();
  q.layout.pipeline = 64;
  EXPECT_THAT(refused(q), HasSubstr("64 pipeline stages for 32 layers"));
  q = bf16(10);
  q.prefix_tokens = 11;
  EXPECT_THAT(refused(q), HasSubstr("prefix tokens: 11"));
  EXPECT_THAT(model_of_sizes({.layers = -3, .hidden = 8192}).why().message, HasSubstr("--layers: -3"));
  EXPECT_THAT(model_of_sizes({.layers = 3, .hidden = 8190, .heads = 64}).why().message, HasSubstr("8190"));
}

TEST(kv_cache, says_when_positions_run_out) {
  const auto c = sized("meta-llama/Llama-3.1-8B", bf16(131073));
  ASSERT_EQ(c.warnings.size(), 1U);
  EXPECT_THAT(c.warnings.front(), HasSubstr("131072 positions"));
}

TEST(kv_cache, inverse_answers_are_the_last_that_fit) {
  const auto llama = model("meta-llama/Llama-3.1-8B");
  auto q = bf16(8192);
  q.block_tokens = 16;
  constexpr double budget = 20.0 * 1073741824;
  const auto n = most_sequences(llama, q, budget);
  EXPECT_EQ(n, 20);  // 1 GiB each
  q.batch = 4;
  const auto longest = longest_sequence(llama, q, budget);
  EXPECT_EQ(longest, 40960);
  q.tokens = longest + 1;
  EXPECT_GT(size_kv_cache(llama, q)->allocated_bytes_per_gpu, budget);
  EXPECT_EQ(most_sequences(llama, bf16(8192), 1e6), 0);
}

TEST(kv_cache, derives_each_figure) {
  const auto c = sized("deepseek-ai/DeepSeek-V3", bf16());
  for (const auto* id : {"bytes_per_token", "growth_bytes_per_token", "fixed_bytes_per_sequence",
                         "total_bytes", "total_bytes_per_gpu"}) {
    const auto* f = find(c.derivation, id);
    ASSERT_NE(f, nullptr) << id;
    EXPECT_FALSE(f->formula.empty());
    EXPECT_FALSE(f->inputs.empty());
    EXPECT_THAT(f->source, HasSubstr("config.json"));
  }
  EXPECT_THAT(find(c.derivation, "bytes_per_token")->formula, HasSubstr("rank"));
}

}  // namespace
}  // namespace ridge::plan
