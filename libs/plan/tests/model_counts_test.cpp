// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/model_catalogue.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ridge/plan/kv_cache.hpp>

namespace ridge::plan {
namespace {

using testing::HasSubstr;

// Published totals of the checkpoints; the parameters that a token uses, with both embeddings, when there are
// experts; elements of the KV cache per token in all layers.
struct published {
  const char* name;
  std::int64_t total, active, cache_elements;
};

class published_counts : public testing::TestWithParam<published> {};

TEST_P(published_counts, equal_the_models_own) {
  const auto& want = GetParam();
  const auto model = model_named(want.name);
  ASSERT_TRUE(model.ok()) << model.why().text();
  const auto counts = count_parameters(*model);
  EXPECT_EQ(counts.total(), want.total);
  EXPECT_EQ(counts.active(), want.active > 0 ? want.active : want.total);
  const auto one_byte = kv_parts(*model, *number_format_named("fp8"));
  EXPECT_EQ(rates_of(one_byte).bytes_per_token, static_cast<double>(want.cache_elements));
  const auto two_bytes = kv_parts(*model, *number_format_named("bf16"));
  EXPECT_EQ(rates_of(two_bytes).bytes_per_token, 2.0 * static_cast<double>(want.cache_elements));
}

std::string test_name(const testing::TestParamInfo<published>& info) {
  std::string name = info.param.name;
  for (auto& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(
    models, published_counts,
    testing::Values(
        published{"Llama-2-7B", 6738415616, 0, 262144}, published{"Llama-2-13B", 13015864320, 0, 409600},
        published{"Llama-2-70B", 68976648192, 0, 163840}, published{"Llama-3.1-8B", 8030261248, 0, 65536},
        published{"Llama-3.1-70B", 70553706496, 0, 163840},
        published{"Llama-3.1-405B", 405853388800, 0, 258048}, published{"Llama-3.2-1B", 1235814400, 0, 16384},
        published{"Llama-3.2-3B", 3212749824, 0, 57344}, published{"Mistral-7B-v0.1", 7241732096, 0, 65536},
        published{"Mixtral-8x7B", 46702792704, 12879925248, 65536},
        published{"Mixtral-8x22B", 140620634112, 39152031744, 114688},
        published{"Qwen2.5-0.5B", 494032768, 0, 6144}, published{"Qwen2.5-1.5B", 1543714304, 0, 14336},
        published{"Qwen2.5-3B", 3085938688, 0, 18432}, published{"Qwen2.5-7B", 7615616512, 0, 28672},
        published{"Qwen2.5-14B", 14770033664, 0, 98304}, published{"Qwen2.5-32B", 32763876352, 0, 131072},
        published{"Qwen2.5-72B", 72706203648, 0, 163840}, published{"Qwen3-0.6B", 596049920, 0, 57344},
        published{"Qwen3-1.7B", 1720574976, 0, 57344}, published{"Qwen3-4B", 4022468096, 0, 73728},
        published{"Qwen3-8B", 8190735360, 0, 73728}, published{"Qwen3-14B", 14768307200, 0, 81920},
        published{"Qwen3-32B", 32762123264, 0, 131072},
        published{"Qwen3-30B-A3B", 30532122624, 3353032704, 49152},
        published{"Qwen3-235B-A22B", 235093634560, 22190763520, 96256},
        published{"gpt-oss-20b", 20914757184, 4187440704, 24576},
        published{"gpt-oss-120b", 116829156672, 5711982912, 36864},
        published{"gemma-2b", 2506172416, 0, 9216}, published{"gemma-7b", 8537680896, 0, 229376},
        published{"gemma-2-2b", 2614341888, 0, 53248}, published{"gemma-2-9b", 9241705984, 0, 172032},
        published{"gemma-2-27b", 27227128320, 0, 188416}, published{"gemma-3-1b", 999885952, 0, 13312},
        published{"gemma-3-4b", 3880263168, 0, 69632}, published{"gemma-3-12b", 11766034176, 0, 196608},
        published{"gemma-3-27b", 27009346304, 0, 253952},
        published{"DeepSeek-V2-Lite", 15706484224, 2661150208, 15552},
        published{"DeepSeek-V2", 235741434880, 21375800320, 34560},
        published{"DeepSeek-V3", 671026419200, 37552297472, 35136},
        published{"DeepSeek-R1", 671026419200, 37552297472, 35136},
        published{"Kimi-K2", 1026408232448, 32861500928, 35136}, published{"gpt2", 124439808, 0, 18432},
        published{"gpt2-xl", 1557611200, 0, 153600}),
    test_name);

// In billions as the model cards round them: total, and the parameters that a token uses.
struct card {
  const char* name;
  double total, active, within;
};

class card_counts : public testing::TestWithParam<card> {};

TEST_P(card_counts, round_to_the_card) {
  const auto& want = GetParam();
  const auto counts = count_parameters(*model_named(want.name));
  EXPECT_NEAR(static_cast<double>(counts.total()) / 1e9, want.total, want.total * want.within);
  EXPECT_NEAR(static_cast<double>(counts.active()) / 1e9, want.active, 0.08 * want.active);
}

INSTANTIATE_TEST_SUITE_P(
    cards, card_counts,
    testing::Values(card{"Qwen3.5-397B-A17B", 397, 17, 0.01}, card{"Qwen3.5-122B-A10B", 122, 10, 0.01},
                    card{"Qwen3-Coder-480B-A35B", 480, 35, 0.01}, card{"Llama-4-Maverick", 400, 17, 0.01},
                    card{"Llama-4-Scout", 109, 17, 0.015}, card{"gemma-4-26B-A4B", 25.2, 3.8, 0.01},
                    card{"DeepSeek-V4-Flash", 284, 13, 0.01}, card{"DeepSeek-V4-Pro", 1600, 49, 0.02},
                    card{"MiMo-V2-Flash", 309, 15, 0.01}, card{"Nemotron-3-Super", 120, 12, 0.01},
                    card{"Nemotron-3-Ultra", 550, 55, 0.01}, card{"Nemotron-3-Nano", 31.6, 3.6, 0.01},
                    card{"Llama-3.3-Nemotron-Super-49B", 49.9, 49.9, 0.01}, card{"GLM-5", 744, 40, 0.01}));

TEST(model_counts, gpt_oss_and_deepseek_leave_the_input_embedding_out) {
  const auto active = [](const char* name) {
    return static_cast<double>(count_parameters(*model_named(name)).active_without_input_embedding()) / 1e9;
  };
  EXPECT_NEAR(active("gpt-oss-20b"), 3.61, 0.005);
  EXPECT_NEAR(active("gpt-oss-120b"), 5.13, 0.005);
  EXPECT_NEAR(active("DeepSeek-V3"), 36.6, 0.05);
  const auto tied = count_parameters(*model_named("Llama-3.2-1B"));
  EXPECT_EQ(tied.active_without_input_embedding(), tied.total());
}

TEST(model_counts, prediction_layers_stand_beside_the_total) {
  const auto counts = count_parameters(*model_named("DeepSeek-V3"));
  EXPECT_NEAR(static_cast<double>(counts.prediction_layers) / 1e9, 11.6, 0.05);
  EXPECT_EQ(counts.total(), 671026419200);
}

TEST(model_counts, stages_add_up_to_the_layers) {
  const auto model = *model_named("DeepSeek-V3");
  const auto all = count_parameters(model);
  const auto first = count_parameters(model, 0, 20), second = count_parameters(model, 20, 61);
  EXPECT_EQ(first.total() + second.total() + all.embedding + all.head + model.final_norm_parameters,
            all.total());
  EXPECT_EQ(first.embedding, 0);
  EXPECT_EQ(count_parameters(model, 5, 5).total(), 0);
}

TEST(model_catalogue, finds_by_any_name) {
  for (const auto* name : {"meta-llama/Llama-3.1-70B", "llama-3.1-70b", "LLAMA-3.1-70B-INSTRUCT",
                           "meta-llama/Llama-3.3-70B-Instruct", "meta-llama/meta-llama-3.1-70b"})
    EXPECT_EQ(model_named(name)->name, "meta-llama/Llama-3.1-70B") << name;
}

TEST(model_catalogue, names_the_nearest) {
  const auto near = model_named("llama-3.1-71b");
  ASSERT_FALSE(near.ok());
  EXPECT_THAT(near.why().message, HasSubstr("Llama-3.1-70B"));
  EXPECT_THAT(near.why().remedy, HasSubstr("--config"));
  EXPECT_FALSE(model_named("").ok());
  EXPECT_FALSE(model_named(std::string(100000, 'x')).ok());
}

TEST(model_catalogue, every_model_can_be_used) {
  EXPECT_GT(embedded_models().size(), 70U);
  for (const auto& m : embedded_models()) {
    EXPECT_GT(count_parameters(m).total(), 100'000'000) << m.name;
    EXPECT_GT(m.max_positions, 0) << m.name;
    EXPECT_TRUE(number_format_named(m.weight_format).ok()) << m.name;
    for (const auto& doubt : m.doubts)
      EXPECT_THAT(doubt, testing::AnyOf(HasSubstr("only the language model"),
                                        HasSubstr("left out of every figure: sparse_attention_config")))
          << m.name;
  }
}

}  // namespace
}  // namespace ridge::plan
