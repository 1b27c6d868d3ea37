// SPDX-License-Identifier: Apache-2.0
#include "gguf_config.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model_config.hpp"

namespace ridge::plan {
namespace {

using nlohmann::json;

// llama.cpp's names of architectures, where they are not those of transformers.
constexpr std::pair<std::string_view, std::string_view> type_names[] = {
    {"qwen2moe", "qwen2_moe"},    {"qwen3moe", "qwen3_moe"},
    {"qwen3next", "qwen3_next"},  {"gemma3", "gemma3_text"},
    {"gemma4", "gemma4_text"},    {"gpt-oss", "gpt_oss"},
    {"deepseek2", "deepseek_v3"}, {"phi2", "phi"},
    {"gptneox", "gpt_neox"},      {"command-r", "cohere"},
    {"cohere2", "cohere2"},       {"llama4", "llama4_text"},
    {"glm4moe", "glm4_moe"},      {"minimax-m2", "minimax_m2"},
    {"granitemoe", "granite"},    {"starcoder", "gpt_bigcode"},
    {"qwen3vl", "qwen3"},         {"qwen3vlmoe", "qwen3_moe"},
    {"qwen2vl", "qwen2"},         {"lfm2moe", "lfm2_moe"},
};

// Names of metadata after the architecture's, and of the members of a configuration.
constexpr std::pair<std::string_view, std::string_view> member_names_of_gguf[] = {
    {"embedding_length", "hidden_size"},
    {"feed_forward_length", "intermediate_size"},
    {"attention.head_count", "num_attention_heads"},
    {"attention.head_count_kv", "num_key_value_heads"},
    {"attention.key_length", "head_dim"},
    {"attention.value_length", "v_head_dim"},
    {"attention.sliding_window", "sliding_window"},
    {"attention.q_lora_rank", "q_lora_rank"},
    {"attention.shared_kv_layers", "num_kv_shared_layers"},
    {"context_length", "max_position_embeddings"},
    {"vocab_size", "vocab_size"},
    {"expert_count", "num_experts"},
    {"expert_used_count", "num_experts_per_tok"},
    {"expert_feed_forward_length", "moe_intermediate_size"},
    {"expert_shared_count", "n_shared_experts"},
    {"expert_shared_feed_forward_length", "shared_expert_intermediate_size"},
    {"leading_dense_block_count", "first_k_dense_replace"},
    {"nextn_predict_layers", "num_nextn_predict_layers"},
    {"interleave_moe_layer_step", "interleave_moe_layer_step"},
    {"full_attention_interval", "full_attention_interval"},
    {"ssm.state_size", "mamba_d_state"},
    {"ssm.conv_kernel", "mamba_d_conv"},
    {"ssm.time_step_rank", "mamba_dt_rank"},
};

const gguf_tensor* tensor_named(const gguf_header& header, std::string_view name) {
  const auto at = std::ranges::find(header.tensors, name, &gguf_tensor::name);
  return at == header.tensors.end() ? nullptr : &*at;
}

bool any_tensor(const gguf_header& header, std::string_view end) {
  return std::ranges::any_of(header.tensors, [&](const gguf_tensor& t) { return t.name.ends_with(end); });
}

json json_of(const gguf_value& value) {
  return std::visit(
      [](const auto& held) -> json {
        if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::monostate>)
          return nullptr;
        else
          return held;
      },
      value);
}

// Latent attention: newer files state the widths of heads apart from those of a kept row.
void add_latent(const gguf_header& header, const std::string& arch, json& config) {
  const auto of = [&](const char* name) { return whole_of(header, arch + name); };
  const auto rank = of(".attention.kv_lora_rank");
  if (rank == 0) return;
  config["kv_lora_rank"] = rank;
  const auto key =
      of(".attention.key_length_mla") > 0 ? of(".attention.key_length_mla") : of(".attention.key_length");
  const auto value = of(".attention.value_length_mla") > 0 ? of(".attention.value_length_mla")
                                                           : of(".attention.value_length");
  const auto rope = of(".rope.dimension_count");
  config["qk_rope_head_dim"] = rope;
  config["qk_nope_head_dim"] = std::max<std::int64_t>(key - rope, 0);
  config["v_head_dim"] = value;
  config.erase("head_dim");
  config["num_key_value_heads"] = config.value("num_attention_heads", json(1));
}

// Gated delta layers (Qwen3-Next) and Mamba state their sizes under the same names.
void add_linear(const gguf_header& header, const std::string& arch, json& config) {
  const auto of = [&](const char* name) { return whole_of(header, arch + name); };
  const auto inner = of(".ssm.inner_size"), groups = of(".ssm.group_count"), rank = of(".ssm.time_step_rank");
  const bool delta = arch.starts_with("qwen3") && groups > 0 && rank > 0;
  if (delta) {
    config["linear_num_value_heads"] = rank;
    config["linear_num_key_heads"] = groups;
    config["linear_key_head_dim"] = of(".ssm.state_size");
    config["linear_value_head_dim"] = inner / rank;
    config["linear_conv_kernel_dim"] = of(".ssm.conv_kernel");
    if (!config.contains("full_attention_interval")) config["full_attention_interval"] = 4;
  } else if (inner > 0 && of(".embedding_length") > 0) {
    config["mamba_expand"] = inner / of(".embedding_length");
  }
}

// Files state which layers have a window in a list of truths, or leave it to the architecture.
void add_windows(const gguf_header& header, const std::string& arch, json& config) {
  const auto at = header.metadata.find(arch + ".attention.sliding_window_pattern");
  if (at == header.metadata.end()) return;
  if (const auto* period = std::get_if<std::int64_t>(&at->second)) config["sliding_window_pattern"] = *period;
  const auto* truths = std::get_if<std::vector<std::int64_t>>(&at->second);
  if (truths == nullptr) return;
  auto types = json::array();
  for (const auto truth : *truths) types.push_back(truth != 0 ? "sliding_attention" : "full_attention");
  config["layer_types"] = std::move(types);
}

void add_tensors(const gguf_header& header, json& config) {
  config["tie_word_embeddings"] = tensor_named(header, "output.weight") == nullptr;
  if (const auto* embedding = tensor_named(header, "token_embd.weight");
      embedding != nullptr && embedding->dimensions.size() == 2)
    config["vocab_size"] = embedding->dimensions[1];
  if (any_tensor(header, ".attn_q.bias")) config["attention_bias"] = true;
  if (any_tensor(header, ".attn_q_norm.weight")) config["use_qk_norm"] = true;
}

// The members of a config.json that say the same as the file.
json config_of(const gguf_header& header, const std::string& arch) {
  const auto& m = header.metadata;
  const auto* type = std::ranges::find(type_names, std::string_view(arch),
                                       &std::pair<std::string_view, std::string_view>::first);
  json config{{"model_type", type == std::end(type_names) ? arch : std::string(type->second)}};
  config["torch_dtype"] = "float16";
  for (const auto& [name, member] : member_names_of_gguf)
    if (const auto at = m.find(fmt::format("{}.{}", arch, name)); at != m.end())
      config[std::string(member)] = json_of(at->second);
  const auto blocks = whole_of(header, arch + ".block_count"),
             predicting = whole_of(header, arch + ".nextn_predict_layers");
  if (blocks > 0) config["num_hidden_layers"] = std::max<std::int64_t>(blocks - predicting, 1);
  add_latent(header, arch, config);
  add_linear(header, arch, config);
  add_windows(header, arch, config);
  add_tensors(header, config);
  return config;
}

}  // namespace

result<model_shape> shape_of_gguf(const gguf_header& header, std::string_view name, std::string_view file) {
  const auto at = header.metadata.find("general.architecture");
  const auto* text = at == header.metadata.end() ? nullptr : std::get_if<std::string>(&at->second);
  const std::string arch = text == nullptr ? "" : *text;
  const std::string_view unread[] = {"",      "t5",    "t5encoder",       "clip", "bert", "nomic-bert",
                                     "rwkv6", "rwkv7", "wavtokenizer-dec"};
  if (std::ranges::find(unread, arch) != std::end(unread))
    return error{fmt::format("{}: a GGUF file of {} is not read", file,
                             arch.empty() ? std::string("no stated architecture")
                                          : "the architecture " + arch.substr(0, 40)),
                 "give the model's config.json with --config"};
  return model_of_config(config_of(header, arch), name, std::string(file));
}

}  // namespace ridge::plan
