// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <ridge/plan/kv_cache.hpp>
#include <ridge/plan/model_catalogue.hpp>

#include "read_config.hpp"

namespace ridge::plan {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
namespace fs = std::filesystem;

json llama() { return changed(llama_8b_config(), {{"max_position_embeddings", 8192}}); }

std::string refused_text(const std::string& text) {
  const auto m = parse_model_config(text, "config.json");
  EXPECT_FALSE(m.ok()) << text.substr(0, 200);
  return m.ok() ? "" : m.why().text();
}
std::string refused(const json& config) { return refused_text(config.dump()); }

double growth(const json& config) {
  return rates_of(kv_parts(read(config), *number_format_named("bf16"))).growth_bytes_per_token;
}
double fixed(const json& config) {
  return rates_of(kv_parts(read(config), *number_format_named("bf16"))).fixed_bytes_per_sequence;
}

TEST(model_config, names_file_member_value_and_remedy) {
  EXPECT_THAT(refused(changed(llama(), {{"num_attention_heads", -4}})),
              AllOf(HasSubstr("config.json: /num_attention_heads: -4"), HasSubstr(";")));
  EXPECT_THAT(refused(changed(llama(), {{"hidden_size", 0}})), HasSubstr("/hidden_size: 0"));
  EXPECT_THAT(refused(changed(llama(), {{"hidden_size", "4096"}})), HasSubstr("/hidden_size: \"4096\""));
  EXPECT_THAT(refused(changed(llama(), {{"hidden_size", 4096.5}})), HasSubstr("/hidden_size: 4096.5"));
  EXPECT_THAT(refused(changed(llama(), {{"vocab_size", json::array({1, 2})}})),
              HasSubstr("/vocab_size: [1,2]"));
  EXPECT_THAT(refused(changed(llama(), {{"vocab_size", 1e300}})), HasSubstr("/vocab_size: 1e+300"));
  EXPECT_THAT(refused(changed(llama(), {{"vocab_size", 18446744073709551615ULL}})), HasSubstr("/vocab_size"));
  EXPECT_THAT(refused(changed(llama(), {{"num_key_value_heads", true}})),
              HasSubstr("/num_key_value_heads: true"));
  EXPECT_THAT(refused(changed(llama(), {{"tie_word_embeddings", json::array()}})),
              HasSubstr("/tie_word_embeddings: []"));
  EXPECT_THAT(refused(json{{"text_config", changed(llama(), {{"hidden_size", -1}})}}),
              HasSubstr("/text_config/hidden_size: -1"));
}

TEST(model_config, names_what_is_missing) {
  for (const auto* name : {"hidden_size", "num_hidden_layers", "num_attention_heads", "vocab_size"}) {
    auto config = llama();
    config.erase(name);
    EXPECT_THAT(refused(config), AllOf(HasSubstr(name), HasSubstr("missing")));
  }
  EXPECT_THAT(refused_text("{}"), HasSubstr("hidden_size"));
}

TEST(model_config, survives_any_text) {
  EXPECT_THAT(refused_text(""), HasSubstr("empty"));
  EXPECT_THAT(refused_text("  \n"), HasSubstr("empty"));
  EXPECT_THAT(refused_text("[1, 2]"), HasSubstr("not an object"));
  EXPECT_THAT(refused_text("{\"hidden_size\": 4096"), HasSubstr("no JSON"));
  EXPECT_THAT(refused_text(std::string("\xff\xfe\0\x01", 4)), HasSubstr("no JSON"));
  EXPECT_THAT(refused_text(std::string(100000, '[')), HasSubstr("100000 deep"));
  EXPECT_THAT(refused_text("{\"a\": " + std::string(65, '[') + std::string(65, ']') + "}"),
              HasSubstr("66 deep"));
  EXPECT_THAT(refused_text(std::string(9 << 20, ' ')), HasSubstr("8 MiB"));
  EXPECT_THAT(refused_text("{\"hidden_size\": 1e999}"), HasSubstr("too large"));
  EXPECT_THAT(refused_text("{\"hidden_size\": NaN}"), HasSubstr("/hidden_size: \"NaN\""));
}

TEST(model_config, reads_pythons_numbers_where_they_do_not_matter) {
  auto text = llama().dump();
  text.insert(1, "\"time_step_limit\": [0.0, Infinity, -Infinity, NaN], \"name\": \"NaN \\\" Infinity\",");
  EXPECT_TRUE(parse_model_config(text, "config.json").ok());
}

TEST(model_config, refuses_sizes_that_overflow) {
  const std::int64_t huge = std::int64_t{1} << 40;
  EXPECT_THAT(refused(changed(llama(), {{"head_dim", huge}, {"num_attention_heads", huge}})),
              HasSubstr("2^60"));
  EXPECT_THAT(refused(changed(llama(), {{"hidden_size", huge}, {"vocab_size", huge}, {"head_dim", 128}})),
              HasSubstr("2^60"));
  EXPECT_THAT(refused(changed(llama(), {{"num_hidden_layers", 1000000}})), HasSubstr("more than 4096"));
  EXPECT_THAT(refused(changed(llama(), {{"num_local_experts", huge}, {"num_experts_per_tok", 2}})),
              HasSubstr("2^60"));
}

TEST(model_config, refuses_lists_without_end) {
  EXPECT_THAT(
      refused(changed(llama(), {{"layer_types", std::vector<std::string>(100'000, "full_attention")}})),
      HasSubstr("/layer_types: a list of 100000"));
}

TEST(model_config, refuses_what_contradicts_itself) {
  EXPECT_THAT(refused(changed(llama(), {{"num_attention_heads", 30}})), HasSubstr("is not a multiple"));
  EXPECT_THAT(refused(changed(llama(), {{"num_local_experts", 8}, {"num_experts_per_tok", 9}})),
              HasSubstr("more than"));
  EXPECT_THAT(refused(changed(llama(), {{"num_local_experts", 8}})), HasSubstr("num_experts_per_tok"));
  EXPECT_THAT(refused(changed(llama(), {{"model_type", "nemotron_h"},
                                        {"hybrid_override_pattern", "M*-"},
                                        {"mamba_num_heads", 64}})),
              HasSubstr("/hybrid_override_pattern: 3 layers"));
  EXPECT_THAT(refused(changed(llama(), {{"intermediate_size", json::array({1, 2, 3})}})),
              HasSubstr("/intermediate_size: a list of 3 for layer 3"));
}

TEST(model_config, refuses_key_heads_that_heads_cannot_share) {
  EXPECT_THAT(refused(changed(llama(), {{"num_key_value_heads", 5}})),
              HasSubstr("/num_key_value_heads: 5 key-value heads cannot be shared evenly by 32 heads"));
  EXPECT_THAT(refused(changed(llama(), {{"num_key_value_heads", 64}})), HasSubstr("64 key-value heads"));
  EXPECT_THAT(model_of_sizes({.layers = 2, .hidden = 4096, .heads = 32, .kv_heads = 5}).why().message,
              HasSubstr("--kv-heads: 5"));
}

class model_file : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder); }
  void TearDown() override { fs::remove_all(folder); }
  fs::path write(const std::string& name, const std::string& text) {
    std::ofstream(folder / name, std::ios::binary) << text;
    return folder / name;
  }
  fs::path folder = fs::temp_directory_path() / ("ridge_model_config_" + std::to_string(::getpid()));
};

TEST_F(model_file, says_what_the_path_is_instead) {
  EXPECT_THAT(read_model_config(folder).why().text(), HasSubstr("a folder"));
  EXPECT_THAT(read_model_config(folder / "none.json").why().text(), HasSubstr("no such file"));
  EXPECT_THAT(read_model_config(write("empty.json", "")).why().text(), HasSubstr("empty.json: empty"));
  EXPECT_THAT(read_model_config(write("noise.json", std::string(50 << 20, '\x9c'))).why().text(),
              HasSubstr("larger than 8 MiB"));
}

TEST_F(model_file, is_called_after_its_folder) {
  EXPECT_EQ(read_model_config(write("config.json", llama().dump()))->name, folder.filename().string());
  EXPECT_EQ(read_model_config(write("mine.json", llama().dump()))->name, "mine");
}

TEST_F(model_file, takes_formats_from_the_optimizers_file_beside_it) {
  write("hf_quant_config.json",
        R"({"quantization": {"quant_algo": "NVFP4", "exclude_modules": ["lm_head"]}})");
  EXPECT_EQ(read_model_config(write("config.json", llama().dump()))->weight_format, "nvfp4");
}

TEST(model_config, unknown_architectures_are_read_and_doubted) {
  const auto m = read(changed(llama(), {{"model_type", "brand_new"}}));
  ASSERT_EQ(m.doubts.size(), 1U);
  EXPECT_THAT(m.doubts.front(), HasSubstr("brand_new"));
  EXPECT_EQ(count_parameters(m).total(), 8030261248);
}

TEST(model_config, windows_follow_the_architecture) {
  const json window{{"sliding_window", 1024}, {"head_dim", 128}};
  const auto windows = [&](const char* type, const json& more = json::object()) {
    const auto m = read(changed(changed(llama(), window), changed({{"model_type", type}}, more)));
    std::int64_t n = 0;
    for (const auto kind : m.order) n += m.kinds[kind].attention.window > 0 ? 1 : 0;
    return n;
  };
  EXPECT_EQ(windows("mistral"), 32);
  EXPECT_EQ(windows("gemma2"), 16);
  EXPECT_EQ(windows("gemma3_text"), 27);  // every sixth layer has full attention
  EXPECT_EQ(windows("gemma3_text", {{"sliding_window_pattern", 4}}), 24);
  EXPECT_EQ(windows("qwen2", {{"use_sliding_window", false}}), 0);
  EXPECT_EQ(windows("qwen2", {{"use_sliding_window", true}, {"max_window_layers", 28}}), 4);
  EXPECT_EQ(windows("mistral", {{"sliding_window", nullptr}}), 0);
}

TEST(model_config, llama_4_sees_chunks_but_in_every_fourth_layer) {
  const auto m = *model_named("Llama-4-Maverick");
  std::int64_t chunked = 0, experts = 0;
  for (std::int64_t i = 0; i < m.layers(); ++i) {
    chunked += m.layer(i).attention.kind == attention_kind::chunked ? 1 : 0;
    experts += m.layer(i).feed_forward.experts > 0 ? 1 : 0;
  }
  EXPECT_EQ(chunked, 36);
  EXPECT_EQ(experts, 24);
  EXPECT_EQ(m.layer(0).attention.window, 8192);
}

// 15 layers of two heads of 256; 45 states of 64 x 128 x 128 in fp32 and convolutions of 3 x 12288 in bf16.
TEST(model_config, gated_delta_layers_keep_a_state) {
  const auto m = *model_named("Qwen3.5-397B-A17B");
  const auto rates = rates_of(kv_parts(m, *number_format_named("bf16")));
  EXPECT_EQ(rates.growth_bytes_per_token, 30720);
  EXPECT_EQ(rates.fixed_bytes_per_sequence, 45.0 * (64 * 128 * 128 * 4 + 3 * 12288 * 2));
}

TEST(model_config, nemotron_has_one_part_a_layer) {
  const auto m = *model_named("Nemotron-H-56B");
  EXPECT_EQ(m.layers(), 118);
  std::int64_t attention = 0;
  for (std::int64_t i = 0; i < m.layers(); ++i) {
    const auto& l = m.layer(i);
    attention += l.attention.kind == attention_kind::full ? 1 : 0;
    EXPECT_NE(l.attention.kind == attention_kind::none, l.feed_forward.intermediate == 0) << i;
  }
  EXPECT_EQ(attention, 10);
}

// Jamba (arXiv 2403.19887): one layer of eight has attention, every second has experts; 52B, of which a token
// uses 12B.
TEST(model_config, jamba) {
  const json config{
      {"model_type", "jamba"},       {"hidden_size", 4096},       {"intermediate_size", 14336},
      {"num_hidden_layers", 32},     {"num_attention_heads", 32}, {"num_key_value_heads", 8},
      {"vocab_size", 65536},         {"attn_layer_period", 8},    {"attn_layer_offset", 4},
      {"expert_layer_period", 2},    {"expert_layer_offset", 1},  {"num_experts", 16},
      {"num_experts_per_tok", 2},    {"mamba_d_state", 16},       {"mamba_d_conv", 4},
      {"mamba_expand", 2},           {"mamba_dt_rank", 256},      {"max_position_embeddings", 262144},
      {"tie_word_embeddings", false}};
  EXPECT_EQ(parameters(config), 51570323328);
  EXPECT_EQ(growth(config), 4.0 * 2 * 8 * 128 * 2);
  EXPECT_EQ(fixed(config), 28.0 * (8192 * 16 * 4 + 8192 * 3 * 2));
  EXPECT_NEAR(static_cast<double>(count_parameters(read(config)).active()) / 1e9, 12, 0.3);
}

// Mamba-2.8B and Mamba2-2.7B of state-spaces, with the configurations of transformers.
TEST(model_config, mamba_keeps_nothing_a_token) {
  const json config{{"model_type", "mamba"}, {"hidden_size", 2560}, {"num_hidden_layers", 64},
                    {"state_size", 16},      {"conv_kernel", 4},    {"expand", 2},
                    {"time_step_rank", 160}, {"vocab_size", 50280}};
  EXPECT_EQ(parameters(config), 2768345600);
  EXPECT_EQ(growth(config), 0);
  EXPECT_GT(fixed(config), 0);
}

// Llama-3.2-11B-Vision: 8 of 40 layers attend only to images: 6404 tokens an image of four tiles.
TEST(model_config, cross_attention_keeps_the_images) {
  const json config{
      {"model_type", "mllama"},
      {"text_config", changed(llama(), {{"model_type", "mllama_text_model"},
                                        {"num_hidden_layers", 40},
                                        {"cross_attention_layers", {3, 8, 13, 18, 23, 28, 33, 38}}})},
      {"vision_config", {{"image_size", 560}, {"patch_size", 14}, {"max_num_tiles", 4}}}};
  EXPECT_EQ(growth(config), 32.0 * 4096);
  EXPECT_EQ(fixed(config), 8.0 * 4096 * 6404);
}

TEST(model_config, encoder_decoders_keep_the_encoders_output) {
  const json config{{"model_type", "t5"},
                    {"is_encoder_decoder", true},
                    {"d_model", 512},
                    {"d_kv", 64},
                    {"d_ff", 2048},
                    {"num_layers", 6},
                    {"num_decoder_layers", 6},
                    {"num_heads", 8},
                    {"vocab_size", 32128},
                    {"n_positions", 512},
                    {"torch_dtype", "float32"}};
  EXPECT_EQ(growth(config), 6.0 * 2 * 512 * 2);
  EXPECT_EQ(fixed(config), 6.0 * 2 * 512 * 2 * 512);
  EXPECT_EQ(parameters(config), 60506624);
  EXPECT_THAT(read(config).doubts, testing::IsEmpty());
}

TEST(model_config, falcon_has_one_key_head) {
  const json config{{"model_type", "falcon"},    {"hidden_size", 4544}, {"num_hidden_layers", 32},
                    {"num_attention_heads", 71}, {"vocab_size", 65024}, {"multi_query", true},
                    {"parallel_attn", true},     {"bias", false},       {"new_decoder_architecture", false}};
  EXPECT_EQ(growth(config), 32.0 * 2 * 64 * 2);
  EXPECT_EQ(parameters(config), 6921720704);
}

TEST(model_config, opt_has_learned_positions_and_biases) {
  const json config{{"model_type", "opt"},
                    {"hidden_size", 768},
                    {"num_hidden_layers", 12},
                    {"ffn_dim", 3072},
                    {"num_attention_heads", 12},
                    {"vocab_size", 50272},
                    {"max_position_embeddings", 2048},
                    {"word_embed_proj_dim", 768}};
  EXPECT_EQ(parameters(config), 125239296);
}

TEST(model_config, weights_are_in_what_quantization_says) {
  const auto format = [](const json& q) {
    return read(changed(llama(), {{"quantization_config", q}})).weight_format;
  };
  EXPECT_EQ(format({{"quant_method", "fp8"}, {"weight_block_size", {128, 128}}}), "fp8_block");
  EXPECT_EQ(format({{"quant_method", "fp8"}}), "fp8");
  EXPECT_EQ(format({{"quant_method", "awq"}, {"bits", 4}}), "int4_g128");
  EXPECT_EQ(format({{"quant_method", "gptq"}, {"bits", 8}}), "int8");
  EXPECT_EQ(format({{"quant_method", "mxfp4"}}), "mxfp4");
  EXPECT_EQ(format({{"quant_method", "modelopt"}, {"quant_algo", "NVFP4"}}), "nvfp4");
  EXPECT_EQ(format({{"quant_method", "modelopt"}, {"quant_algo", "FP8"}}), "fp8");
  const auto group = [&](const json& weights, const char* name) {
    return format({{"quant_method", "compressed-tensors"},
                   {"format", name},
                   {"config_groups", {{"group_0", {{"weights", weights}}}}}});
  };
  EXPECT_EQ(group({{"num_bits", 8}, {"type", "float"}, {"strategy", "tensor"}}, "float-quantized"), "fp8");
  EXPECT_EQ(group({{"num_bits", 8}, {"type", "float"}, {"strategy", "block"}}, "float-quantized"),
            "fp8_block");
  EXPECT_EQ(group({{"num_bits", 8}, {"type", "int"}, {"strategy", "channel"}}, "int-quantized"), "int8");
  EXPECT_EQ(group({{"num_bits", 4}, {"type", "int"}, {"group_size", 32}}, "pack-quantized"), "int4_g32");
  EXPECT_EQ(group({{"num_bits", 4}, {"type", "float"}}, "nvfp4-pack-quantized"), "nvfp4");
  const auto odd = read(changed(llama(), {{"quantization_config", {{"quant_method", "brand_new"}}}}));
  EXPECT_EQ(odd.weight_format, "bf16");
  EXPECT_THAT(odd.doubts, testing::Contains(HasSubstr("brand_new")));
  EXPECT_THAT(read(changed(llama(), {{"torch_dtype", nullptr}})).doubts,
              testing::ElementsAre(HasSubstr("taken as bf16")));
}

}  // namespace
}  // namespace ridge::plan
