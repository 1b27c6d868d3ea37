// SPDX-License-Identifier: Apache-2.0
#include "config_unread.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <ridge/base/text.hpp>

namespace ridge::plan {
namespace {

// Parts of the names of sizes.
constexpr std::string_view of_sizes[] = {"layer", "head",   "hidden", "intermediate", "_dim",  "dim_",
                                         "rank",  "expert", "vocab",  "_size",        "expan", "ratio",
                                         "mult",  "width",  "depth",  "ffn",          "mlp"};

// Members with such names that have no part in memory or work, or that say again what another says.
constexpr std::string_view without_size[] = {"model_max_length",
                                             "bos_token_id",
                                             "tokenizer_class",
                                             "n_layer_norm",
                                             "rope_dim",
                                             "rotary_dim",
                                             "rotary_emb_base",
                                             "partial_rotary_factor",
                                             "router_aux_loss_coef",
                                             "initializer_range",
                                             "no_repeat_ngram_size",
                                             "encoder_no_repeat_ngram_size",
                                             "chunk_size",
                                             "chunk_size_feed_forward",
                                             "num_experts_per_tok",
                                             "original_max_position_embeddings",
                                             "head_dim",
                                             "max_window_layers",
                                             "sliding_window_size",
                                             "num_key_value_heads",
                                             "num_hidden_layers",
                                             "num_attention_heads",
                                             "intermediate_size",
                                             "vocab_size_per_layer_input",
                                             "hidden_size",
                                             "pad_vocab_size_multiple",
                                             "word_embed_proj_dim",
                                             "type_vocab_size",
                                             "qk_rope_head_dim",
                                             "v_head_dim",
                                             "first_k_dense_replace",
                                             "sliding_window_pattern",
                                             "ep_size",
                                             "pretraining_tp",
                                             "num_mel_bins",
                                             "decoder_layerdrop",
                                             "encoder_layerdrop",
                                             "layer_norm_eps",
                                             "layer_norm_epsilon",
                                             "classifier_proj_size",
                                             "mamba_chunk_size",
                                             "expert_layer_offset",
                                             "attn_layer_offset",
                                             "moe_layer_freq",
                                             "qk_head_dim",
                                             "shared_intermediate_size",
                                             "n_inner",
                                             "max_source_positions",
                                             "num_hash_layers",
                                             "attn_res_block_size",
                                             "attention_chunk_size",
                                             "expand",
                                             "time_step_rank",
                                             "intermediate_size_mlp"};

bool looks_like_a_size(const unread_member& m) {
  if (m.is_object) return m.name.ends_with("_config");
  if (std::ranges::find(without_size, m.name) != std::end(without_size)) return false;
  return std::ranges::any_of(of_sizes,
                             [&](std::string_view part) { return m.name.find(part) != std::string::npos; });
}

// What encodes images or sound, and how the text is generated, is said elsewhere or has no part in this.
bool is_another_part(const std::string& name) {
  constexpr std::string_view parts[] = {
      "vision",     "audio",        "image",       "video",       "speech",     "talker", "token2wav",
      "generation", "quantization", "compression", "attn_config", "ffn_config", "task",   "code2wav"};
  return std::ranges::any_of(parts,
                             [&](std::string_view part) { return name.find(part) != std::string::npos; });
}

}  // namespace

void doubt_unread(const config_members& m) {
  std::vector<std::string> unread;
  constexpr std::size_t most = 12;
  for (const auto& one : m.unread())
    if (unread.size() < most && looks_like_a_size(one) && !is_another_part(one.name))
      unread.push_back(one.name.substr(0, 60));
  if (!unread.empty())
    m.findings().doubt(fmt::format("not understood, and left out of every figure: {}", join(unread, ", ")));
}

}  // namespace ridge::plan
