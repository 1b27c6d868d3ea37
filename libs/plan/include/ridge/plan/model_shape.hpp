// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ridge::plan {

// Which earlier tokens a layer attends to.
enum class attention_kind : std::uint8_t {
  full,     // every earlier token (MHA, GQA, MQA)
  sliding,  // the last `window` tokens
  chunked,  // the tokens of the same chunk of `window`
  latent,   // MLA: one compressed row per token
  linear,   // state space, gated delta: a state of fixed size per sequence
  none,     // a layer without a mixer
};

// The attention or other mixer of one layer.
struct attention_shape {
  attention_kind kind{attention_kind::full};
  std::int64_t heads = 0, kv_heads = 0;
  std::int64_t head_dim = 0;        // width of a query or key head
  std::int64_t value_head_dim = 0;  // width of a value head; differs from head_dim for latent attention
  std::int64_t window = 0;          // tokens, for sliding and chunked
  bool query_key_bias = false, output_bias = false, query_key_norm = false, sinks = false;
  bool query_key_norm_wide = false;  // the norm spans all heads (MiniMax-M2, OLMo 2), not one
  bool shared_key_value = false;     // keys serve as values: one row is kept
  bool output_gate = false;          // a gate as wide as the output of the heads (Qwen3.5)
  bool reuses_cache = false;         // uses keys and values of an earlier layer, keeps none (Gemma 3n)
  std::int64_t tokens_per_row = 1;   // tokens per kept row beyond the window (DeepSeek-V4)
  // Latent attention (DeepSeek-V2, section 2.1): ranks of the compressed query (0: not compressed) and of
  // keys and values, and the rotary and the other part of a query head.
  std::int64_t query_rank = 0, kv_rank = 0, rope_dim = 0, nope_dim = 0;
  // DeepSeek-V4: the outputs of groups of heads are projected through a low rank; queries use query_rank.
  std::int64_t output_groups = 0, output_rank = 0;
  std::int64_t indexer_heads = 0, indexer_dim = 0, indexer_top_k = 0;  // DeepSeek sparse attention
  // Linear mixers: elements per sequence of the recurrent state and of the convolution window.
  std::int64_t state_elements = 0, convolution_elements = 0;
  std::int64_t state_element_bytes =
      4;                              // per element of the recurrent state; the window has the model's dtype
  std::int64_t mixer_parameters = 0;  // linear: all parameters of the mixer; else those not covered above

  bool operator==(const attention_shape&) const = default;
};

// The feed-forward block of one layer, dense or with experts.
struct feed_forward_shape {
  std::int64_t intermediate = 0;  // width of the dense block; 0: this layer has experts
  bool gated = true;              // three matrices instead of two
  bool bias = false;
  std::int64_t experts = 0, active_experts = 0, expert_intermediate = 0;
  std::int64_t expert_hidden = 0;  // input width of the experts (latent of Nemotron 3); 0: hidden
  std::int64_t shared_experts = 0, shared_intermediate = 0;  // width of one shared expert
  bool router_bias = false, expert_bias = false, shared_gate = false;

  bool operator==(const feed_forward_shape&) const = default;
};

// One layer of a decoder.
struct layer_shape {
  attention_shape attention{};
  feed_forward_shape feed_forward{};
  std::int64_t norm_parameters = 0;  // norms around mixer and feed-forward
  // Cross-attention to an encoder or images: tokens per sequence whose keys and values are kept, with the
  // heads of `attention`. It stands beside self-attention, or alone where attention.kind is none.
  std::int64_t cross_kv_tokens = 0;

  bool operator==(const layer_shape&) const = default;
};

// Numbers of parameters, by classes that are divided, read and quantized in the same way.
struct parameter_counts {
  std::int64_t embedding = 0, head = 0;  // head: 0 when tied to the embedding
  std::int64_t attention = 0, dense_feed_forward = 0, experts = 0, shared_experts = 0, router = 0, norms = 0;
  std::int64_t prediction_layers = 0;  // multi-token prediction, not part of total()
  std::int64_t active_experts = 0;     // parameters of the experts that one token uses

  // All parameters except prediction_layers.
  [[nodiscard]] std::int64_t total() const;
  // Parameters that one token uses: with both embeddings (as Qwen and Mixtral count), or without the input
  // embedding (DeepSeek and gpt-oss); a tied embedding counts as the head.
  [[nodiscard]] std::int64_t active() const;
  [[nodiscard]] std::int64_t active_without_input_embedding() const;
};

// A decoder as its configuration describes it: what the formulas of memory, work and time need.
struct model_shape {
  std::string name{};          // "meta-llama/Llama-3.1-70B"
  std::string architecture{};  // "LlamaForCausalLM"
  std::int64_t hidden = 0, vocabulary = 0;
  std::int64_t max_positions = 0;
  std::int64_t position_embeddings = 0;  // rows of learned embeddings (GPT-2); 0: none
  bool tied_embeddings = false;
  std::int64_t final_norm_parameters = 0;
  std::vector<layer_shape> kinds{};     // the distinct layers
  std::vector<std::uint8_t> order{};    // for each layer its index into `kinds`
  std::int64_t prediction_layers = 0;   // multi-token prediction layers in the checkpoint
  std::string weight_format{"bf16"};    // of the quantized matrices; a name of number_formats()
  bool experts_only_quantized = false;  // gpt-oss: the others stay in other_weight_format
  std::string other_weight_format{"bf16"};
  std::vector<std::string>
      doubts{};  // parts of the configuration that were not understood, and what was assumed

  // Number of layers, and the layer at an index from 0.
  [[nodiscard]] std::int64_t layers() const { return static_cast<std::int64_t>(order.size()); }
  [[nodiscard]] const layer_shape& layer(std::int64_t index) const {
    return kinds[order[static_cast<std::size_t>(index)]];
  }
  // Number of layers that are of kinds[kind].
  [[nodiscard]] std::int64_t layers_of(std::size_t kind) const;
  // Whether any layer has experts, or latent attention.
  [[nodiscard]] bool has_experts() const;
  [[nodiscard]] bool has_latent_attention() const;
};

// Counts the parameters; exact for the published totals of the 36 models in the tests. Saturates at 2^62.
[[nodiscard]] parameter_counts count_parameters(const model_shape& m);
// Counts layers [first, last) alone, without embeddings, head and final norm.
[[nodiscard]] parameter_counts count_parameters(const model_shape& m, std::int64_t first, std::int64_t last);

}  // namespace ridge::plan
