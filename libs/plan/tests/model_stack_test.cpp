// SPDX-License-Identifier: Apache-2.0
// Architectures with an encoder, and those that nest their sizes, against published numbers of parameters.
#include <ridge/plan/model_shape.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <ridge/plan/engine_budget.hpp>
#include <ridge/plan/inference_memory.hpp>
#include <ridge/plan/kv_cache.hpp>
#include <ridge/plan/model_catalogue.hpp>

#include "read_config.hpp"

namespace ridge::plan {
namespace {

using nlohmann::json;
using testing::HasSubstr;

kv_rates cache(const json& config) { return rates_of(kv_parts(read(config), *number_format_named("bf16"))); }

json dbrx() {
  return json::parse(R"({"architectures": ["DbrxForCausalLM"], "model_type": "dbrx",
    "attn_config": {"clip_qkv": 8, "kv_n_heads": 8, "model_type": "", "rope_theta": 500000},
    "d_model": 6144, "emb_pdrop": 0.0,
    "ffn_config": {"ffn_hidden_size": 10752, "model_type": "", "moe_jitter_eps": 0.01,
                   "moe_loss_weight": 0.05, "moe_num_experts": 16, "moe_top_k": 4},
    "max_seq_len": 32768, "n_heads": 48, "n_layers": 40, "vocab_size": 100352,
    "tie_word_embeddings": false, "torch_dtype": "bfloat16"})");
}

json mpt() {
  return json::parse(R"({"architectures": ["MPTForCausalLM"], "model_type": "mpt",
    "attn_config": {"alibi": true, "attn_type": "multihead_attention", "clip_qkv": null},
    "d_model": 4096, "expansion_ratio": 4, "max_seq_len": 2048, "n_heads": 32, "n_layers": 32, "no_bias": true,
    "vocab_size": 50432})");
}

json t5_11b() {
  return json::parse(R"({"architectures": ["T5ForConditionalGeneration"], "model_type": "t5", "d_ff": 65536,
    "d_kv": 128, "d_model": 1024, "is_encoder_decoder": true, "n_positions": 512, "num_heads": 128,
    "num_layers": 24, "relative_attention_num_buckets": 32, "vocab_size": 32128})");
}

json whisper() {
  return json::parse(R"({"architectures": ["WhisperForConditionalGeneration"], "model_type": "whisper",
    "d_model": 1280, "decoder_attention_heads": 20, "decoder_ffn_dim": 5120, "decoder_layers": 32,
    "encoder_attention_heads": 20, "encoder_ffn_dim": 5120, "encoder_layers": 32, "is_encoder_decoder": true,
    "max_source_positions": 1500, "max_target_positions": 448, "num_hidden_layers": 32, "num_mel_bins": 128,
    "vocab_size": 51866, "torch_dtype": "float16"})");
}

json bart_base() {
  return json::parse(R"({"architectures": ["BartModel"], "model_type": "bart", "d_model": 768,
    "decoder_attention_heads": 12, "decoder_ffn_dim": 3072, "decoder_layers": 6, "encoder_attention_heads": 12,
    "encoder_ffn_dim": 3072, "encoder_layers": 6, "is_encoder_decoder": true, "num_hidden_layers": 6,
    "max_position_embeddings": 1024, "vocab_size": 50265})");
}

json nllb_600m() {
  return json::parse(R"({"architectures": ["M2M100ForConditionalGeneration"], "model_type": "m2m_100",
    "d_model": 1024, "decoder_attention_heads": 16, "decoder_ffn_dim": 4096, "decoder_layers": 12,
    "encoder_attention_heads": 16, "encoder_ffn_dim": 4096, "encoder_layers": 12, "is_encoder_decoder": true,
    "max_position_embeddings": 1024, "tie_word_embeddings": true, "vocab_size": 256206})");
}

json bert() {
  return json::parse(R"({"architectures": ["BertForMaskedLM"], "model_type": "bert", "hidden_act": "gelu",
    "hidden_size": 768, "intermediate_size": 3072, "max_position_embeddings": 512, "num_attention_heads": 12,
    "num_hidden_layers": 12, "type_vocab_size": 2, "vocab_size": 30522})");
}

TEST(model_stack, dbrx_nests_attention_and_experts) {
  const auto counts = count_parameters(read(dbrx()));
  EXPECT_EQ(counts.total(), 131596523520);
  EXPECT_NEAR(static_cast<double>(counts.active()) / 1e9, 36, 0.6);  // "36B active"
  EXPECT_EQ(cache(dbrx()).bytes_per_token, 40.0 * 2 * 8 * 128 * 2);
  EXPECT_TRUE(read(dbrx()).doubts.empty());
}

TEST(model_stack, errors_name_the_nested_member) {
  auto config = dbrx();
  config["attn_config"]["kv_n_heads"] = 7;
  const auto wrong = parse_model_config(config.dump(), "config.json");
  ASSERT_FALSE(wrong.ok());
  EXPECT_THAT(wrong.why().message, HasSubstr("7 key-value heads"));
  config["attn_config"]["kv_n_heads"] = -1;
  EXPECT_THAT(parse_model_config(config.dump(), "config.json").why().message,
              HasSubstr("/attn_config/kv_n_heads: -1"));
}

TEST(model_stack, mpt_has_its_published_parameters) {
  EXPECT_EQ(parameters(mpt()), 6649286656);
  EXPECT_EQ(cache(mpt()).bytes_per_token, 32.0 * 2 * 4096 * 2);
}

TEST(model_stack, encoder_decoders_have_their_published_parameters) {
  EXPECT_EQ(parameters(t5_11b()), 11307321344);
  EXPECT_EQ(parameters(whisper()), 1543490560);
  EXPECT_EQ(parameters(bart_base()), 139420416);
  EXPECT_EQ(parameters(nllb_600m()), 615073792);
  const json flan_t5_base{{"d_ff", 2048},
                          {"d_kv", 64},
                          {"d_model", 768},
                          {"feed_forward_proj", "gated-gelu"},
                          {"num_heads", 12},
                          {"num_layers", 12},
                          {"tie_word_embeddings", false}};
  EXPECT_EQ(parameters(changed(t5_11b(), flan_t5_base)), 247577856);
}

// Distil-Whisper states the encoder's depth in num_hidden_layers and has two decoder layers.
TEST(model_stack, the_decoders_depth_is_its_own) {
  const auto m = read(changed(whisper(), {{"decoder_layers", 2}}));
  EXPECT_EQ(m.layers(), 2);
  EXPECT_EQ(m.encoder.layers, 32);
  EXPECT_EQ(count_parameters(m).total(), 756405760);  // distil-large-v3: 756 M
}

TEST(model_stack, decoders_keep_their_own_cache_and_that_of_the_encoders_output) {
  const auto rates = cache(whisper());
  EXPECT_EQ(rates.bytes_per_token, 32.0 * 2 * 1280 * 2);
  EXPECT_EQ(rates.fixed_bytes_per_sequence, 32.0 * 2 * 1280 * 2 * 1500);
}

TEST(model_stack, bert_has_its_published_parameters) {
  EXPECT_EQ(parameters(bert()), 109514298);
  EXPECT_EQ(parameters(changed(bert(), {{"architectures", {"BertModel"}}})), 109482240);
  const json roberta{{"architectures", {"RobertaModel"}},
                     {"model_type", "roberta"},
                     {"max_position_embeddings", 514},
                     {"type_vocab_size", 1},
                     {"vocab_size", 50265}};
  EXPECT_EQ(parameters(changed(bert(), roberta)), 124645632);
  const json distilled{{"architectures", {"DistilBertModel"}},
                       {"model_type", "distilbert"},
                       {"dim", 768},
                       {"hidden_dim", 3072},
                       {"n_layers", 6},
                       {"n_heads", 12},
                       {"vocab_size", 30522},
                       {"max_position_embeddings", 512}};
  EXPECT_EQ(parameters(distilled), 66362880);
  const json modern{{"architectures", {"ModernBertForMaskedLM"}},
                    {"model_type", "modernbert"},
                    {"hidden_size", 768},
                    {"intermediate_size", 1152},
                    {"num_attention_heads", 12},
                    {"num_hidden_layers", 22},
                    {"vocab_size", 50368},
                    {"tie_word_embeddings", true}};
  EXPECT_EQ(parameters(modern), 149655232);
}

TEST(model_stack, encoders_keep_no_cache) {
  const auto m = read(bert());
  EXPECT_EQ(m.stack, model_stack::encoder);
  kv_question q{.tokens = 512, .batch = 8, .format = *number_format_named("bf16")};
  const auto sized = size_kv_cache(m, q);
  ASSERT_TRUE(sized.ok());
  EXPECT_EQ(sized->total_bytes, 0);
  EXPECT_THAT(sized->warnings, testing::ElementsAre(HasSubstr("one pass")));
}

TEST(model_stack, only_decoders_are_simulated) {
  EXPECT_TRUE(require_decoder(read(dbrx()), "a simulation").ok());
  EXPECT_THAT(require_decoder(read(bert()), "a simulation").why().message, HasSubstr("is an encoder"));
  EXPECT_THAT(require_decoder(read(whisper()), "a simulation").why().message,
              HasSubstr("an encoder beside its decoder"));
}

TEST(model_stack, memory_holds_every_parameter) {
  for (const auto& config : {dbrx(), t5_11b(), whisper(), bart_base(), bert()}) {
    const inference_setup s{.model = read(config), .max_batched_tokens = 8192, .max_sequences = 256};
    const auto ranks = inference_memory(s);
    ASSERT_TRUE(ranks.ok()) << ranks.why().text();
    ASSERT_EQ(ranks->size(), 1U);
    const auto all = static_cast<double>(count_parameters(s.model).total());
    EXPECT_NEAR(ranks->front().weights_bytes(), 2 * all, 1) << s.model.architecture;
    EXPECT_NEAR(weight_bytes(s.model), 2 * all, 1) << s.model.architecture;
  }
}

// vLLM (model_executor/models/gemma4.py) normalises and rotates keys, normalises values, and caches both.
TEST(model_stack, gemma_4_projects_once_and_keeps_keys_and_values) {
  const auto m = *model_named("gemma-4-26B-A4B");
  const auto rates = rates_of(kv_parts(m, *number_format_named("bf16")));
  EXPECT_EQ(rates.growth_bytes_per_token, 5.0 * 2 * 2 * 512 * 2);
}

// Gemma 4 E2B: "2.3B effective", 5.1B with embeddings and what encodes images and sound.
TEST(model_stack, layers_may_have_embeddings_of_their_own) {
  const json config{{"model_type", "gemma4_text"},
                    {"hidden_size", 1536},
                    {"intermediate_size", 6144},
                    {"num_hidden_layers", 35},
                    {"num_attention_heads", 8},
                    {"num_key_value_heads", 1},
                    {"head_dim", 256},
                    {"global_head_dim", 512},
                    {"num_kv_shared_layers", 20},
                    {"use_double_wide_mlp", true},
                    {"hidden_size_per_layer_input", 256},
                    {"vocab_size_per_layer_input", 262144},
                    {"vocab_size", 262144},
                    {"sliding_window", 512},
                    {"sliding_window_pattern", 5}};
  const auto m = read(config);
  const std::int64_t looked_up = std::int64_t{262144} * 35 * 256;
  EXPECT_NEAR(static_cast<double>(count_parameters(m).total() - looked_up) / 1e9, 2.3, 0.03);
}

TEST(model_stack, sizes_that_are_not_understood_are_said) {
  auto config = bert();
  config["torch_dtype"] = "float32";
  config["adapter_hidden_size"] = 64;
  config["odd_config"] = {{"layers", 4}};
  EXPECT_THAT(read(config).doubts, testing::ElementsAre(HasSubstr("adapter_hidden_size, odd_config")));
}

// Totals that the cards of models state which are not in the program, by their configurations: BLOOM has a
// norm of its embedding, Command-R one norm a layer and (R+) norms of heads as wide as all of them, Arctic a
// dense block beside the experts.
TEST(published_counts_of_configurations, equal_the_cards) {
  const nlohmann::json cohere{{"model_type", "cohere"}, {"vocab_size", 256000}};
  const auto bloom = nlohmann::json{{"model_type", "bloom"},
                                    {"n_embed", 14336},
                                    {"n_layer", 70},
                                    {"vocab_size", 250880},
                                    {"num_attention_heads", 112}};
  EXPECT_EQ(parameters(bloom), 176247271424);
  EXPECT_EQ(parameters(changed(cohere, {{"hidden_size", 8192},
                                        {"intermediate_size", 22528},
                                        {"num_hidden_layers", 40},
                                        {"num_attention_heads", 64},
                                        {"num_key_value_heads", 64}})),
            34980831232);
  EXPECT_EQ(parameters(changed(cohere, {{"hidden_size", 12288},
                                        {"intermediate_size", 33792},
                                        {"num_hidden_layers", 64},
                                        {"num_attention_heads", 96},
                                        {"num_key_value_heads", 8},
                                        {"use_qk_norm", true}})),
            103810674688);
  const auto arctic = read({{"model_type", "arctic"},
                            {"hidden_size", 7168},
                            {"intermediate_size", 4864},
                            {"num_hidden_layers", 35},
                            {"num_attention_heads", 56},
                            {"num_key_value_heads", 8},
                            {"num_local_experts", 128},
                            {"num_experts_per_tok", 2},
                            {"moe_layer_frequency", 1},
                            {"parallel_attn_mlp_res", true},
                            {"tie_word_embeddings", false},
                            {"torch_dtype", "bfloat16"},
                            {"vocab_size", 32000}});
  const auto counts = count_parameters(arctic);
  EXPECT_EQ(counts.total(), 478584608768);
  EXPECT_NEAR(static_cast<double>(counts.active()), 17e9, 0.5e9);  // "480B total and 17B active"
  EXPECT_THAT(arctic.doubts, testing::IsEmpty());
}

}  // namespace
}  // namespace ridge::plan
