// SPDX-License-Identifier: Apache-2.0
// Bytes of the weights of a checkpoint whose modules have formats of their own: Llama-3.1-8B, whose attention
// has 1,342,177,280 elements, whose blocks have 5,637,144,576, and of whose 8,030,261,248 the rest stays
// plain.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <ridge/plan/engine_budget.hpp>
#include <ridge/plan/inference_memory.hpp>

#include "read_config.hpp"

namespace ridge::plan {
namespace {

using nlohmann::json;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr double attention = 1342177280, blocks = 5637144576, head = 525336576, rest = 1050939392;
constexpr double nvfp4 = 0.5625;

json llama_8b(const json& quantization) {
  return changed(llama_8b_config(), {{"quantization_config", quantization}});
}

model_shape quantized(const char* text) { return read(llama_8b(json::parse(text))); }

// Memory of a served model holds the same bytes as weight_bytes().
double bytes(const model_shape& m) {
  const auto ranks = inference_memory({.model = m, .max_batched_tokens = 8192, .max_sequences = 256});
  EXPECT_TRUE(ranks.ok());
  EXPECT_NEAR(ranks->front().weights_bytes(), weight_bytes(m), 1);
  return weight_bytes(m);
}

TEST(config_quantization, modules_of_a_list_stay_plain) {
  const auto m = quantized(R"({"quant_method": "modelopt", "quant_algo": "NVFP4",
    "exclude_modules": ["lm_head", "model.layers.*.self_attn*"]})");
  EXPECT_EQ(bytes(m), 2 * rest + 2 * attention + nvfp4 * blocks);
  EXPECT_EQ(m.weight_format, "nvfp4");
  EXPECT_THAT(m.doubts, IsEmpty());
}

TEST(config_quantization, lists_name_layers_and_expressions) {
  const auto m = quantized(R"({"quant_method": "compressed-tensors", "format": "nvfp4-pack-quantized",
    "config_groups": {"group_0": {"targets": ["Linear"], "format": "nvfp4-pack-quantized",
      "weights": {"num_bits": 4, "type": "float", "group_size": 16, "strategy": "tensor_group"}}},
    "ignore": ["lm_head", "model.layers.0.mlp.down_proj", "re:.*layers\\.3[01]\\..*o_proj$"]})");
  const double down = 4096.0 * 14336, output = 4096.0 * 4096;
  EXPECT_EQ(bytes(m), 2 * rest + nvfp4 * (attention + blocks) + (2 - nvfp4) * (down + 2 * output));
  EXPECT_EQ(m.kinds.size(), 3U);
  EXPECT_THAT(m.doubts, IsEmpty());
}

TEST(config_quantization, groups_have_their_own_formats) {
  const auto m = quantized(R"({"quant_method": "compressed-tensors", "format": "mixed-precision",
    "config_groups": {
      "group_0": {"targets": ["re:.*self_attn.(q|k|v|o)_proj$"], "format": "float-quantized",
        "weights": {"num_bits": 8, "type": "float", "strategy": "channel"}},
      "group_1": {"targets": ["re:.*mlp.*"], "format": "nvfp4-pack-quantized",
        "weights": {"num_bits": 4, "type": "float", "group_size": 16}}},
    "ignore": ["lm_head"]})");
  EXPECT_EQ(bytes(m), 2 * rest + attention + nvfp4 * blocks);
  ASSERT_EQ(m.formats.size(), 2U);
  EXPECT_EQ(m.formats[0].format, "nvfp4");
  EXPECT_EQ(m.formats[0].elements, 5637144576);
  EXPECT_EQ(m.formats[1].format, "fp8");
}

TEST(config_quantization, layers_have_their_own_formats) {
  auto q = json::parse(R"({"quant_method": "modelopt", "quant_algo": "MIXED_PRECISION",
    "exclude_modules": ["lm_head"], "quantized_layers": {}})");
  for (int i = 0; i < 32; ++i)
    for (const std::string part : {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj",
                                   "self_attn.o_proj", "mlp.gate_proj", "mlp.up_proj", "mlp.down_proj"})
      if (i > 0)
        q["quantized_layers"]["model.layers." + std::to_string(i) + "." + part] = {
            {"quant_algo", part.starts_with("mlp") ? "NVFP4" : "FP8"}};
  const auto m = read(llama_8b(q));
  EXPECT_EQ(bytes(m), 2 * rest + (attention + blocks) * 2 / 32 + (attention + nvfp4 * blocks) * 31 / 32);
}

TEST(config_quantization, a_head_is_quantized_where_no_list_spares_it) {
  const auto m = quantized(R"({"quant_method": "compressed-tensors", "format": "float-quantized",
    "config_groups": {"group_0": {"targets": ["Linear"],
      "weights": {"num_bits": 8, "type": "float", "strategy": "channel"}}}, "ignore": []})");
  EXPECT_EQ(bytes(m), 2 * rest - head + attention + blocks);
}

TEST(config_quantization, integers_have_the_bits_and_groups_that_are_given) {
  const auto of = [](const char* text) { return (bytes(quantized(text)) - 2 * rest) / (attention + blocks); };
  EXPECT_DOUBLE_EQ(of(R"({"quant_method": "gptq", "bits": 3, "group_size": 128})"), 0.375 + 19 / 8.0 / 128);
  EXPECT_DOUBLE_EQ(of(R"({"quant_method": "awq", "bits": 3, "group_size": 64})"), 0.375 + 19 / 8.0 / 64);
  EXPECT_DOUBLE_EQ(of(R"({"quant_method": "gptq", "bits": 4, "group_size": -1})"), 0.5);
  EXPECT_DOUBLE_EQ(of(R"({"quant_method": "awq", "bits": 4, "group_size": 32, "zero_point": false})"),
                   0.5 + 2.0 / 32);
  EXPECT_DOUBLE_EQ(of(R"({"quant_method": "hqq", "quant_config": {"weight_quant_params":
                         {"nbits": 4, "group_size": 64}}, "skip_modules": ["lm_head"]})"),
                   0.5 + 4.0 / 64);
  EXPECT_DOUBLE_EQ(of(R"({"quant_method": "hqq", "nbits": 2, "group_size": 16})"),
                   0.25 + 18 / 8.0 / 16 + 14 / 8.0 / 16);
  EXPECT_DOUBLE_EQ(of(R"({"quant_method": "bitsandbytes", "load_in_4bit": true,
                         "bnb_4bit_use_double_quant": false})"),
                   0.5 + 4.0 / 64);
  EXPECT_EQ(quantized(R"({"quant_method": "gptq", "bits": 3, "group_size": 128})").weight_format,
            "int3_g128");
}

TEST(config_quantization, exceptions_of_gptq_and_auto_round_count) {
  const auto dynamic = quantized(R"({"quant_method": "gptq", "bits": 4, "group_size": 128,
    "dynamic": {"-:.*self_attn.*": {}, "+:.*down_proj": {"bits": 8, "group_size": 128}}})");
  const double four = 0.5 + 20 / 8.0 / 128, eight = 1 + 24 / 8.0 / 128;
  EXPECT_DOUBLE_EQ(bytes(dynamic), 2 * rest + 2 * attention + (2 * four + eight) * blocks / 3);
  const auto named = quantized(R"({"quant_method": "auto-round", "bits": 4, "group_size": 128,
    "extra_config": {"model.layers.5.self_attn.o_proj": {"bits": 16}}})");
  EXPECT_DOUBLE_EQ(bytes(named), 2 * rest + four * (attention + blocks) + (2 - four) * 4096 * 4096);
}

TEST(config_quantization, experts_have_their_own_format) {
  const auto m = read(json::parse(R"({"model_type": "qwen3_moe", "hidden_size": 2048, "num_hidden_layers": 2,
    "num_attention_heads": 32, "num_key_value_heads": 4, "head_dim": 128, "vocab_size": 1000,
    "intermediate_size": 6144, "moe_intermediate_size": 768, "num_experts": 128, "num_experts_per_tok": 8,
    "torch_dtype": "bfloat16", "tie_word_embeddings": false,
    "quantization_config": {"quant_method": "modelopt", "quant_algo": "NVFP4",
      "ignore": ["lm_head", "*self_attn*", "*mlp.gate"]}})"));
  const auto n = count_parameters(m);
  EXPECT_NEAR(weight_bytes(m),
              2.0 * static_cast<double>(n.total() - n.experts) + nvfp4 * static_cast<double>(n.experts), 1);
  EXPECT_TRUE(m.experts_only_quantized);
}

TEST(config_quantization, what_is_not_understood_is_said) {
  const auto m = quantized(R"({"quant_method": "compressed-tensors", "format": "float-quantized",
    "config_groups": {"group_0": {"targets": ["Linear"],
      "weights": {"num_bits": 8, "type": "float", "strategy": "channel"}}},
    "ignore": ["lm_head", "re:.*layers\\.(?!0).*"]})");
  EXPECT_THAT(m.doubts, Contains(HasSubstr("(?!0)")));
  EXPECT_THAT(quantized(R"({"quant_method": "brand_new", "bits": 5})").doubts, Contains(HasSubstr("5 bits")));
  EXPECT_DOUBLE_EQ(bytes(quantized(R"({"quant_method": "brand_new", "bits": 5})")),
                   2 * rest + 0.625 * (attention + blocks));
  EXPECT_THAT(quantized(R"({"quant_method": "brand_new"})").doubts, Contains(HasSubstr("taken as bf16")));
}

// The lists of NVIDIA's NVFP4 checkpoints name attention layer by layer.
TEST(config_quantization, many_patterns_are_matched_in_time) {
  auto q =
      json::parse(R"({"quant_method": "modelopt", "quant_algo": "NVFP4", "exclude_modules": ["lm_head"]})");
  for (int i = 0; i < 100; ++i)
    q["exclude_modules"].push_back("model.layers." + std::to_string(i) + ".self_attn*");
  EXPECT_EQ(bytes(read(llama_8b(q))), 2 * rest + 2 * attention + nvfp4 * blocks);
}

TEST(config_quantization, expressions_end) {
  std::string hostile = "re:";
  for (int i = 0; i < 60; ++i) hostile += "(.*.*)*";
  const json q{{"quant_method", "fp8"},
               {"modules_to_not_convert", {hostile + "z", "re:((((", "re:[", "re:a{3}"}}};
  EXPECT_TRUE(parse_model_config(llama_8b(q).dump(), "config.json").ok());
}

}  // namespace
}  // namespace ridge::plan
