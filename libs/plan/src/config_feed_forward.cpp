// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "config_layers.hpp"
#include "saturating.hpp"

namespace ridge::plan {
namespace {

bool plain_block(const config_context& context) {
  const auto act = context.members.text({"mlp_hidden_act", "hidden_act", "activation_function"});
  if (any_of(context.type, {"t5", "mt5", "umt5"}))
    return !context.members.text({"feed_forward_proj"}).starts_with("gated");
  return act == "relu2" ||
         any_of(context.type,
                {"gpt2", "gpt_bigcode", "gpt_neox", "gptj", "gpt_neo", "codegen", "opt", "bloom", "falcon",
                 "mpt", "phi", "starcoder2", "nemotron", "nemotron_h", "whisper"}) ||
         is_bert(context.type) || is_bart(context.type);
}

bool block_has_bias(const config_context& context) {
  const bool by_type = any_of(context.type, {"gpt2", "gpt_bigcode", "gpt_neox", "gptj", "opt", "bloom", "phi",
                                             "starcoder2", "whisper"}) ||
                       is_bert(context.type) || is_bart(context.type);
  return context.members.flag({"mlp_bias", "use_bias", "enable_bias"}, by_type) ||
         (context.type == "falcon" && context.members.flag({"bias"}));
}

std::int64_t four_times_hidden(const config_context& context) {
  return (saturating(4) * context.hidden).value();
}

// Llama 3.3 Nemotron: two thirds of `ffn_mult` times the hidden size, rounded up to 256.
std::int64_t of_block_config(const config_context& context, const config_members& ffn) {
  const auto mult = ffn.real("ffn_mult");
  if (!(mult > 0 && mult < 1e6)) return 0;
  const auto exact = static_cast<std::int64_t>(2 * mult * static_cast<double>(context.hidden) / 3);
  return (exact + 255) / 256 * 256;
}

std::int64_t dense_intermediate(const config_context& context, std::int64_t layer) {
  const auto& m = context.members;
  const auto ffn = m.element("block_configs", layer).inside("ffn");
  if (ffn.flag({"no_op"})) return 0;
  if (ffn.real("ffn_mult") != 0) return of_block_config(context, ffn);
  const auto given =
      m.of_layer({"intermediate_size_mlp", "dense_intermediate_size", "intermediate_size", "n_inner",
                  "ffn_dim", "d_ff", "ffn_hidden_size", "decoder_ffn_dim", "hidden_dim"},
                 layer);
  if (given) return *given;
  if (!any_of(context.type, {"gpt2", "gpt_bigcode", "bloom", "falcon", "gptj", "gpt_neo", "mpt", "codegen"}))
    m.findings().doubt("intermediate_size is not given; taken as 4 times the hidden size");
  return four_times_hidden(context);
}

// Arctic: a dense block as wide as the model beside the experts, with a norm of its own.
bool has_residual_block(const config_context& context) {
  return context.type == "arctic" && context.members.flag({"parallel_attn_mlp_res"});
}

void read_shared(const config_context& context, feed_forward_shape& f) {
  const auto& m = context.members;
  if (has_residual_block(context)) {
    f.shared_experts = 1;
    f.shared_intermediate = context.hidden;
    return;
  }
  if (context.type == "llama4_text") {
    f.shared_experts = 1;
    f.shared_intermediate = f.expert_intermediate;
    return;
  }
  if (context.type == "gemma4_text") {
    f.shared_experts = 1;
    f.shared_intermediate = m.count_or({"intermediate_size"}, 0);
    return;
  }
  const auto wide = m.count_or({"shared_expert_intermediate_size", "moe_shared_expert_intermediate_size",
                                "share_expert_dim", "shared_intermediate_size"},
                               0);
  f.shared_experts =
      m.count_or({"n_shared_experts", "num_shared_experts", "moe_num_shared_experts"}, wide > 0 ? 1 : 0);
  f.shared_intermediate = f.shared_experts == 0 ? 0 : wide > 0 ? wide : f.expert_intermediate;
  f.shared_gate = wide > 0 && context.type.starts_with("qwen");
}

feed_forward_shape read_experts(const config_context& context) {
  const auto& m = context.members;
  feed_forward_shape f{.gated = !plain_block(context)};
  f.experts = m.count_or({"num_local_experts", "n_routed_experts", "num_experts", "moe_num_experts"}, 0);
  f.active_experts = m.needed({"num_experts_per_tok", "num_experts_per_token", "top_k_experts",
                               "experts_per_token", "moe_top_k", "moe_topk", "moe_k", "num_experts_per_topk"},
                              "experts a token passes");
  f.expert_intermediate = m.needed(
      {"moe_intermediate_size", "expert_ffn_hidden_size", "intermediate_size", "ffn_hidden_size", "ffn_dim"},
      "size of an expert");
  if (m.count_or({"n_group"}, 1) > 1) f.active_groups = m.count_or({"topk_group"}, 0);
  f.expert_hidden = m.count_or({"moe_latent_size", "routed_expert_hidden_size"}, 0);
  f.router_bias = m.flag({"use_routing_bias", "use_moe_router_bias", "moe_router_enable_expert_bias"},
                         m.text({"topk_method"}) == "noaux_tc" ||
                             any_of(context.type, {"gpt_oss", "nemotron_h", "kimi_linear"}));
  f.expert_bias = context.type == "gpt_oss";
  read_shared(context, f);
  if (f.active_experts > f.experts)
    m.refuse("num_experts_per_tok", "more than there are experts",
             "a token passes some of the experts, not more");
  return f;
}

bool norms_have_bias(const config_context& context) {
  return is_bert(context.type) || is_bart(context.type) ||
         any_of(context.type, {"gpt2", "gpt_bigcode", "gpt_neox", "gptj", "gpt_neo", "codegen", "opt",
                               "bloom", "falcon", "phi", "starcoder2", "whisper", "nemotron"});
}

// DeepSeek-V4: norms of mixer and block, and the mixing of `streams` residual streams around each.
std::int64_t hyper_connections(const config_context& context, std::int64_t streams) {
  const saturating mix = saturating(streams + 2) * streams;
  return (saturating(2) * context.hidden + saturating(2) * (mix * streams * context.hidden + mix + 3))
      .value();
}

}  // namespace

bool is_bert(const std::string& type) {
  return any_of(type, {"bert", "roberta", "xlm-roberta", "camembert", "distilbert", "electra"});
}

bool is_bart(const std::string& type) {
  return any_of(type, {"bart", "mbart", "m2m_100", "pegasus", "marian", "blenderbot"});
}

std::int64_t read_norm_width(const config_context& context) {
  return (saturating(norms_have_bias(context) ? 2 : 1) * context.hidden).value();
}

feed_forward_shape read_feed_forward(const config_context& context, block kind, std::int64_t layer) {
  if (kind == block::none) return {};
  if (kind == block::experts) return read_experts(context);
  return {.intermediate = dense_intermediate(context, layer),
          .gated = !plain_block(context),
          .bias = block_has_bias(context)};
}

std::int64_t read_layer_norms(const config_context& context, const layer_kind& kind) {
  saturating each = read_norm_width(context);
  if (const auto streams = context.members.count_or({"hc_mult"}, 0); streams > 0)
    return hyper_connections(context, streams);
  if (any_of(context.type, {"phi", "gptj", "cohere", "cohere2"})) return each.value();
  if (context.type == "falcon" && !context.members.flag({"new_decoder_architecture"})) return each.value();
  const bool four = any_of(context.type, {"gemma2", "gemma3_text", "gemma3", "gemma4_text", "glm4"});
  const std::int64_t parts = (kind.mix == mixer::none ? 0 : 1) + (kind.after == block::none ? 0 : 1) +
                             (kind.after == block::experts && has_residual_block(context) ? 1 : 0);
  return (each * (four ? 4 : parts)).value();
}

std::int64_t read_final_norm(const config_context& context) {
  const saturating streams = context.members.count_or({"hc_mult"}, 0);
  return (streams * streams * context.hidden + streams + (streams.value() > 0 ? 1 : 0) +
          read_norm_width(context))
      .value();
}

}  // namespace ridge::plan
