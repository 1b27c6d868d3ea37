// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ridge::plan {

enum class attention_kind : std::uint8_t {
  full,     // every earlier token (MHA, GQA, MQA)
  sliding,  // the last `window` tokens
  chunked,  // the tokens of the same chunk of `window`
  latent,   // MLA: one compressed row a token
  linear,   // state space, gated delta: a state of fixed size a sequence
  none,     // a layer without a mixer
};

struct attention_shape {
  attention_kind kind{attention_kind::full};
  std::int64_t heads = 0, kv_heads = 0;
  std::int64_t head_dim = 0;        // of queries and keys
  std::int64_t value_head_dim = 0;  // of values; equal to head_dim but for latent attention
  std::int64_t window = 0;          // sliding, chunked: tokens
  bool query_key_bias = false, output_bias = false, query_key_norm = false, sinks = false;
  bool query_key_norm_wide = false;  // over all heads together (MiniMax-M2, OLMo 2), not one head
  bool shared_key_value = false;     // keys are values too: one row is kept
  bool output_gate = false;          // a gate as wide as the heads' output (Qwen3.5)
  bool reuses_cache = false;         // reads an earlier layer's keys and values, keeps none (Gemma 3n)
  std::int64_t tokens_per_row = 1;   // beyond the window, one row is kept for so many tokens (DeepSeek-V4)
  // Latent attention (DeepSeek-V2, section 2.1): ranks of the compressed query (0: none) and of keys and
  // values, and the two parts of a query head.
  std::int64_t query_rank = 0, kv_rank = 0, rope_dim = 0, nope_dim = 0;
  // DeepSeek-V4: outputs of so many groups of heads go through a low rank; its queries have query_rank too.
  std::int64_t output_groups = 0, output_rank = 0;
  std::int64_t indexer_heads = 0, indexer_dim = 0, indexer_top_k = 0;  // DeepSeek sparse attention
  // Linear mixers: elements of the recurrent state and of the convolution's window, a sequence.
  std::int64_t state_elements = 0, convolution_elements = 0;
  std::int64_t state_element_bytes = 4;  // of the recurrent state; the convolution's window has the model's
  std::int64_t mixer_parameters = 0;     // linear: all of the mixer's; else what the members above leave out

  bool operator==(const attention_shape&) const = default;
};

struct feed_forward_shape {
  std::int64_t intermediate = 0;  // of the dense block; 0: this layer has experts
  bool gated = true;              // three matrices rather than two
  bool bias = false;
  std::int64_t experts = 0, active_experts = 0, expert_intermediate = 0;
  std::int64_t expert_hidden = 0;  // width the experts work in (Nemotron 3's latent); 0: the model's
  std::int64_t shared_experts = 0, shared_intermediate = 0;  // intermediate of one shared expert
  bool router_bias = false, expert_bias = false, shared_gate = false;

  bool operator==(const feed_forward_shape&) const = default;
};

struct layer_shape {
  attention_shape attention{};
  feed_forward_shape feed_forward{};
  std::int64_t norm_parameters = 0;  // of the norms around mixer and feed-forward
  // Cross-attention to an encoder or images: keys and values of so many tokens, fixed a sequence, with the
  // heads of `attention`; beside self-attention, or alone where attention.kind is none.
  std::int64_t cross_kv_tokens = 0;

  bool operator==(const layer_shape&) const = default;
};

// Parameters by what happens to them: who splits, reads and quantizes them.
struct parameter_counts {
  std::int64_t embedding = 0, head = 0;  // head: 0 when tied to the embedding
  std::int64_t attention = 0, dense_feed_forward = 0, experts = 0, shared_experts = 0, router = 0, norms = 0;
  std::int64_t prediction_layers = 0;  // multi-token prediction, not part of total()
  std::int64_t active_experts = 0;     // of `experts`, those a token passes

  [[nodiscard]] std::int64_t total() const;
  // What one token passes; both embeddings counted (Qwen and Mixtral count so), or without the input's
  // (DeepSeek and gpt-oss; a tied one stays, as the head).
  [[nodiscard]] std::int64_t active() const;
  [[nodiscard]] std::int64_t active_without_input_embedding() const;
};

// A decoder as its configuration states it: everything that formulas of memory, work and time ask for.
struct model_shape {
  std::string name{};          // "meta-llama/Llama-3.1-70B"
  std::string architecture{};  // "LlamaForCausalLM"
  std::int64_t hidden = 0, vocabulary = 0;
  std::int64_t max_positions = 0;
  std::int64_t position_embeddings = 0;  // learned rows (GPT-2); 0: none
  bool tied_embeddings = false;
  std::int64_t final_norm_parameters = 0;
  std::vector<layer_shape> kinds{};     // the different layers
  std::vector<std::uint8_t> order{};    // one a layer: its kind
  std::int64_t prediction_layers = 0;   // multi-token prediction layers in the checkpoint
  std::string weight_format{"bf16"};    // of number_formats(): of the matrices the checkpoint quantizes
  bool experts_only_quantized = false;  // gpt-oss: the rest stays in other_weight_format
  std::string other_weight_format{"bf16"};
  std::vector<std::string> doubts{};  // what of the configuration was not understood, and what was assumed

  [[nodiscard]] std::int64_t layers() const { return static_cast<std::int64_t>(order.size()); }
  [[nodiscard]] const layer_shape& layer(std::int64_t index) const {
    return kinds[order[static_cast<std::size_t>(index)]];
  }
  [[nodiscard]] std::int64_t layers_of(std::size_t kind) const;
  [[nodiscard]] bool has_experts() const;
  [[nodiscard]] bool has_latent_attention() const;
};

// Exact for the published totals of the 36 models of the tests. Saturates at 2^62.
[[nodiscard]] parameter_counts count_parameters(const model_shape& m);
// Of layers [first, last) alone: no embeddings, head or final norm.
[[nodiscard]] parameter_counts count_parameters(const model_shape& m, std::int64_t first, std::int64_t last);

}  // namespace ridge::plan
