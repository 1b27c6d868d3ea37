// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "config_layers.hpp"
#include "saturating.hpp"

namespace ridge::plan {
namespace {

attention_kind kind_of(mixer mix) {
  if (mix == mixer::sliding) return attention_kind::sliding;
  if (mix == mixer::chunked) return attention_kind::chunked;
  return mix == mixer::cross ? attention_kind::none : attention_kind::full;
}

std::int64_t read_head_dim(const config_context& context, std::int64_t layer) {
  const auto& m = context.members;
  if (const auto given = m.of_layer({"head_dim", "attention_head_dim", "kv_channels", "d_kv"}, layer, 1))
    return *given;
  if (context.hidden % std::max<std::int64_t>(context.heads, 1) != 0)
    m.findings().refuse("",
                        fmt::format("hidden_size {} is not a multiple of num_attention_heads {}",
                                    context.hidden, context.heads),
                        "give head_dim");
  return std::max<std::int64_t>(context.hidden / std::max<std::int64_t>(context.heads, 1), 1);
}

std::int64_t read_kv_heads(const config_context& context, std::int64_t layer) {
  const auto& m = context.members;
  if (context.type == "falcon") {
    if (m.flag({"new_decoder_architecture"}))
      return m.count_or({"num_kv_heads", "n_head_kv"}, context.heads, 1);
    return m.flag({"multi_query"}, true) ? 1 : m.count_or({"num_kv_heads"}, context.heads, 1);
  }
  if (context.type == "gpt_bigcode") return m.flag({"multi_query"}, true) ? 1 : context.heads;
  if (const auto block = m.element("block_configs", layer).inside("attention"); block.has("n_heads_in_group"))
    return std::max<std::int64_t>(context.heads / block.count_or({"n_heads_in_group"}, 1, 1), 1);
  return m
      .of_layer({"num_key_value_heads", "num_kv_heads", "n_head_kv", "multi_query_group_num", "kv_n_heads"},
                layer, 1)
      .value_or(context.heads);
}

bool queries_have_bias(const config_context& context) {
  const auto& m = context.members;
  if (any_of(context.type,
             {"qwen2", "qwen2_moe", "qwen2_vl_text", "qwen2_5_vl_text", "qwen2_vl", "qwen2_5_vl"}))
    return m.flag({"attention_bias", "qkv_bias"}, true);
  if (any_of(context.type,
             {"gpt2", "gpt_bigcode", "gpt_neox", "opt", "bloom", "phi", "starcoder2", "whisper"}) ||
      is_bert(context.type) || is_bart(context.type))
    return m.flag({"attention_bias", "use_bias", "enable_bias"}, true);
  return m.flag({"attention_bias", "qkv_bias", "add_qkv_bias", "use_qkv_bias"}, context.type == "gpt_oss") ||
         (context.type == "falcon" && m.flag({"bias"}));
}

bool output_has_bias(const config_context& context) {
  if (any_of(context.type, {"qwen2", "qwen2_moe", "qwen2_vl_text", "qwen2_5_vl_text", "qwen2_vl",
                            "qwen2_5_vl", "glm", "glm4", "glm4_moe", "mimo", "dots1"}))
    return false;
  return any_of(context.type, {"phi"}) || queries_have_bias(context);
}

void read_head_norms(const config_context& context, attention_shape& a) {
  const auto& m = context.members;
  const bool by_type = any_of(
      context.type, {"qwen3", "qwen3_moe", "qwen3_vl_text", "qwen3_vl_moe_text", "qwen3_next", "qwen3_5_text",
                     "qwen3_5_moe_text", "gemma3_text", "gemma3", "gemma4_text", "gemma3n_text", "lfm2",
                     "lfm2_moe", "step3p7", "hunyuan_v1_dense", "hunyuan_v1_moe"});
  a.query_key_norm =
      by_type || (context.type != "llama4_text" && m.flag({"use_qk_norm", "qk_layernorm", "qk_norm"}));
  a.query_key_norm_wide = any_of(context.type, {"olmo2", "olmo3"}) ||
                          (a.query_key_norm && (m.text({"qk_norm_type"}) == "per_layer" ||
                                                any_of(context.type, {"minimax_m2", "cohere"})));
}

// Heads of window layers (MiMo-V2) or full layers (Gemma 4), when they differ from the others.
void read_heads_by_kind(const config_context& context, mixer mix, attention_shape& a) {
  const auto& m = context.members;
  if (mix == mixer::sliding && m.has("swa_num_key_value_heads")) {
    a.heads = m.count_or({"swa_num_attention_heads"}, a.heads, 1);
    a.kv_heads = m.count_or({"swa_num_key_value_heads"}, a.kv_heads, 1);
    a.head_dim = m.count_or({"swa_head_dim"}, a.head_dim, 1);
    a.value_head_dim = m.count_or({"swa_v_head_dim"}, a.value_head_dim, 1);
  }
  if (mix == mixer::full && m.has("global_head_dim")) {
    a.head_dim = a.value_head_dim = m.count_or({"global_head_dim"}, a.head_dim, 1);
    if (m.flag({"attention_k_eq_v"})) a.kv_heads = m.count_or({"num_global_key_value_heads"}, a.kv_heads, 1);
    a.values_from_keys = m.flag({"attention_k_eq_v"});
  }
}

void check_groups(const config_context& context, const attention_shape& a) {
  if (a.heads % a.kv_heads == 0) return;
  context.members.refuse(
      "num_key_value_heads",
      fmt::format("{} key-value heads cannot be shared evenly by {} heads", a.kv_heads, a.heads),
      "give a number of key-value heads that divides the number of heads");
}

void read_window(const config_context& context, mixer mix, attention_shape& a) {
  const auto& m = context.members;
  if (mix == mixer::sliding)
    a.window =
        m.count_or({"sliding_window", "sliding_window_size", "window_size", "attention_window_size"}, 0);
  if (mix == mixer::chunked) a.window = m.count_or({"attention_chunk_size"}, 0);
  if (a.kind != attention_kind::none && a.kind != attention_kind::full && a.window == 0) {
    m.findings().doubt("a layer's window has no size; taken as full attention");
    a.kind = attention_kind::full;
  }
}

void read_sinks(const config_context& context, mixer mix, attention_shape& a) {
  const auto& m = context.members;
  a.sinks = context.type == "gpt_oss" ||
            m.flag({mix == mixer::sliding ? "add_swa_attention_sink_bias" : "add_full_attention_sink_bias"});
}

attention_shape read_heads(const config_context& context, mixer mix, std::int64_t layer) {
  const auto& m = context.members;
  attention_shape a{.kind = kind_of(mix), .heads = context.heads};
  a.heads = m.of_layer({"num_attention_heads", "n_head", "num_heads"}, layer, 1).value_or(context.heads);
  a.head_dim = read_head_dim(context, layer);
  a.value_head_dim = m.count_or({"v_head_dim"}, a.head_dim, 1);
  a.kv_heads = read_kv_heads(context, layer);
  read_heads_by_kind(context, mix, a);
  check_groups(context, a);
  read_window(context, mix, a);
  a.query_key_bias = queries_have_bias(context);
  a.output_bias = output_has_bias(context);
  a.keys_without_bias = context.type == "whisper";
  read_head_norms(context, a);
  read_sinks(context, mix, a);
  a.output_gate = m.flag({"attn_output_gate"}, context.type == "qwen3_next");
  return a;
}

void read_indexer(const config_context& context, std::int64_t layer, attention_shape& a) {
  const auto& m = context.members;
  if (!m.has("index_head_dim") || !m.has("index_n_heads")) return;
  const auto types = m.words("indexer_types");
  if (static_cast<std::size_t>(layer) < types.size() && types[static_cast<std::size_t>(layer)] == "shared")
    return;
  a.indexer_heads = m.count_or({"index_n_heads"}, 0);
  a.indexer_dim = m.count_or({"index_head_dim"}, 0);
  a.indexer_top_k = m.count_or({"index_topk"}, 0);
}

attention_shape read_latent(const config_context& context, std::int64_t layer) {
  const auto& m = context.members;
  attention_shape a{.kind = attention_kind::latent, .heads = context.heads, .kv_heads = 1};
  a.query_rank = m.count_or({"q_lora_rank"}, 0);
  a.kv_rank = m.needed({"kv_lora_rank"}, "rank of keys and values");
  a.rope_dim = m.count_or({"qk_rope_head_dim"}, 0);
  a.nope_dim = m.needed({"qk_nope_head_dim"}, "part of a query head without positions");
  a.head_dim = a.rope_dim + a.nope_dim;
  a.value_head_dim = m.count_or({"v_head_dim"}, a.nope_dim, 1);
  a.output_gate = m.flag({"mla_use_output_gate"});
  read_indexer(context, layer, a);
  return a;
}

// From DeepSeek-V4's inference code: two projections of `width`, positions and a norm; windows of 4 tokens
// overlap.
saturating compressor(const config_context& context, std::int64_t ratio, std::int64_t dim) {
  const saturating width = saturating(ratio == 4 ? 2 : 1) * dim;
  return saturating(2) * context.hidden * width + saturating(ratio) * width + dim;
}

// DeepSeek-V4: a single key that is also the value; all tokens of a window, and one row per `ratio` tokens
// before it.
attention_shape read_compressed(const config_context& context, std::int64_t layer) {
  const auto& m = context.members;
  attention_shape a{.kind = attention_kind::sliding, .heads = context.heads, .kv_heads = 1};
  a.head_dim = a.value_head_dim = m.needed({"head_dim"}, "size of a head");
  a.window = m.needed({"sliding_window"}, "tokens of the window");
  a.shared_key_value = a.sinks = true;
  a.query_rank = m.count_or({"q_lora_rank"}, 0);
  a.output_groups = m.count_or({"o_groups"}, 1, 1);
  a.output_rank = m.count_or({"o_lora_rank"}, 0);
  const auto ratio = m.of_layer({"compress_ratios"}, layer).value_or(0);
  saturating more = a.head_dim;
  if (ratio > 0) more = more + compressor(context, ratio, a.head_dim);
  a.tokens_per_row = std::max<std::int64_t>(ratio, 1);
  if (ratio == 4) {
    read_indexer(context, layer, a);
    more = more + compressor(context, ratio, a.indexer_dim);
  }
  a.mixer_parameters = more.value();
  return a;
}

bool is_off(const config_context& context, std::int64_t layer) {
  const auto of = context.members.element("block_configs", layer).inside("attention");
  return of.flag({"no_op"}) || of.flag({"replace_with_linear"});
}

}  // namespace

attention_shape read_attention(const config_context& context, mixer mix, std::int64_t layer) {
  if (mix == mixer::none || is_off(context, layer)) return {.kind = attention_kind::none};
  if (context.members.is_list("compress_ratios")) return read_compressed(context, layer);
  if (mix == mixer::full && context.members.has("kv_lora_rank")) return read_latent(context, layer);
  if (mix == mixer::full || mix == mixer::sliding || mix == mixer::chunked || mix == mixer::cross)
    return read_heads(context, mix, layer);
  return read_linear_mixer(context, mix);
}

}  // namespace ridge::plan
