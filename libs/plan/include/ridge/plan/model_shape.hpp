// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/plan/vision.hpp>

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
  bool values_from_keys = false;     // keys and values come from one matrix, and both are kept (Gemma 4)
  bool keys_without_bias = false;    // query_key_bias is not for keys (Whisper)
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

  // Whether the layer has no matrix of its own for values.
  [[nodiscard]] bool one_matrix() const { return shared_key_value || values_from_keys; }

  bool operator==(const attention_shape&) const = default;
};

// The feed-forward block of one layer, dense or with experts.
struct feed_forward_shape {
  std::int64_t intermediate = 0;  // width of the dense block; 0: this layer has experts
  bool gated = true;              // three matrices instead of two
  bool bias = false;
  std::int64_t experts = 0, active_experts = 0, expert_intermediate = 0;
  std::int64_t active_groups = 0;  // groups of experts, one a node, that a token may use (topk_group); 0: all
  std::int64_t expert_hidden = 0;  // input width of the experts (latent of Nemotron 3); 0: hidden
  std::int64_t shared_experts = 0, shared_intermediate = 0;  // width of one shared expert
  bool router_bias = false, expert_bias = false, shared_gate = false;

  bool operator==(const feed_forward_shape&) const = default;
};

// Bytes per parameter by class, scales included, as a checkpoint stores a layer; 0: as model_shape says of
// all.
struct stored_bytes {
  double attention = 0, dense_feed_forward = 0, experts = 0, shared_experts = 0;
  double plain = 0;  // norms and routers

  bool operator==(const stored_bytes&) const = default;
};

// The same outside the layers; `plain` is of norms and of what no other class holds.
struct stored_ends {
  double embedding = 0, head = 0, plain = 0;
};

// One layer of a decoder or an encoder.
struct layer_shape {
  attention_shape attention{};
  feed_forward_shape feed_forward{};
  std::int64_t norm_parameters = 0;  // norms around mixer and feed-forward
  // Cross-attention to an encoder or images: tokens per sequence whose keys and values are kept, with the
  // heads of `attention`. It stands beside self-attention, or alone where attention.kind is none.
  std::int64_t cross_kv_tokens = 0;
  stored_bytes stored{};

  bool operator==(const layer_shape&) const = default;
};

// Numbers of parameters, by classes that are divided, read and quantized in the same way.
struct parameter_counts {
  std::int64_t embedding = 0, head = 0;  // head: 0 when tied to the embedding
  std::int64_t attention = 0, dense_feed_forward = 0, experts = 0, shared_experts = 0, router = 0, norms = 0;
  std::int64_t encoder = 0;            // the encoder that a decoder attends to
  std::int64_t other = 0;              // model_shape::other_parameters
  std::int64_t prediction_layers = 0;  // multi-token prediction, not part of total()
  std::int64_t active_experts = 0;     // parameters of the experts that one token uses

  // All parameters except prediction_layers.
  [[nodiscard]] std::int64_t total() const;
  // Parameters that one token uses: with both embeddings (as Qwen and Mixtral count), or without the input
  // embedding (DeepSeek and gpt-oss); a tied embedding counts as the head.
  [[nodiscard]] std::int64_t active() const;
  [[nodiscard]] std::int64_t active_without_input_embedding() const;
};

// The layers that a model consists of.
enum class model_stack : std::uint8_t {
  decoder,          // writes token after token
  encoder,          // reads all tokens in one pass and keeps no keys and values (BERT)
  encoder_decoder,  // a decoder that attends to the output of an encoder (T5, Whisper)
};

// Elements of the layers' matrices that are stored in one format.
struct format_share {
  std::string format{};
  std::int64_t elements = 0;
};

// The encoder of an encoder-decoder: equal layers as wide as the decoder's.
struct encoder_shape {
  std::int64_t layers = 0;
  layer_shape layer{};
  std::int64_t other_parameters = 0;  // positions, convolutions, norms outside the layers
};

// A model as its configuration describes it: what the formulas of memory, work and time need. The layers are
// the decoder's where there is one.
struct model_shape {
  std::string name{};          // "meta-llama/Llama-3.1-70B"
  std::string architecture{};  // "LlamaForCausalLM"
  std::int64_t hidden = 0, vocabulary = 0;
  std::int64_t max_positions = 0;
  std::int64_t position_embeddings = 0;  // rows of learned embeddings (GPT-2); 0: none
  bool tied_embeddings = false;
  model_stack stack{model_stack::decoder};
  encoder_shape encoder{};            // of an encoder-decoder
  vision_shape vision{};              // what encodes images for the decoder
  std::int64_t other_parameters = 0;  // outside the layers and in no other member: BERT's pooler, T5's biases
  std::int64_t final_norm_parameters = 0;
  std::vector<layer_shape> kinds{};     // the distinct layers
  std::vector<std::uint8_t> order{};    // for each layer its index into `kinds`
  std::int64_t prediction_layers = 0;   // multi-token prediction layers in the checkpoint
  std::string weight_format{"bf16"};    // of most elements of the matrices; a name of number_formats()
  bool experts_only_quantized = false;  // gpt-oss: the others stay in other_weight_format
  std::string other_weight_format{"bf16"};
  stored_ends stored{};                 // of a quantized checkpoint
  std::vector<format_share> formats{};  // of a quantized checkpoint: the formats of its matrices, most first
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

// Refuses a model that is not a decoder alone, for a calculation that knows no other; `answer` says what it
// would have answered: "a serving simulation".
[[nodiscard]] result<void> require_decoder(const model_shape& m, std::string_view answer);

// Refuses a request of so many tokens, prompt and answer, that is longer than the model's context; engines
// refuse it, too. A model whose context is not known (max_positions 0) takes any.
[[nodiscard]] result<void> check_request(const model_shape& m, std::int64_t tokens);

// Counts the parameters; exact for the published totals of the 36 models in the tests. Saturates at 2^62.
[[nodiscard]] parameter_counts count_parameters(const model_shape& m);
// Counts layers [first, last) alone, without embeddings, head and final norm.
[[nodiscard]] parameter_counts count_parameters(const model_shape& m, std::int64_t first, std::int64_t last);

}  // namespace ridge::plan
