// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/plan/figure.hpp>
#include <ridge/plan/model_shape.hpp>
#include <ridge/plan/number_format.hpp>
#include <ridge/plan/parallel_layout.hpp>

namespace ridge::plan {

// Cache that some of the layers keep per sequence on one GPU. A layer may have several parts: rows of keys
// and values, keys of an indexer, a state.
struct kv_part {
  std::string content{};  // "keys and values, window 128"
  std::int64_t layers = 0;
  double row_bytes = 0;             // per row and layer
  std::int64_t window = 0;          // most rows; 0: no limit
  std::int64_t tokens_per_row = 1;  // tokens that share one row
  double fixed_bytes = 0;           // per sequence and layer, whatever its length: states, cross-attention

  // Bytes for a sequence of `tokens` in all of these layers. With `block_tokens`, rounded up to whole blocks;
  // a window takes one block more than it fills, since it may begin inside one (vLLM's SlidingWindowSpec).
  [[nodiscard]] double bytes(std::int64_t tokens, std::int64_t block_tokens = 0) const;
};

// All parts of the model's cache. With a layout: those on a GPU of the pipeline stage that keeps the most for
// a sequence of `tokens`. Heads are split over tensor ranks and replicated where there are fewer of them; a
// latent row (MLA) is kept whole by every rank; data-parallel attention divides nothing. Context ranks divide
// the tokens, so that each pays its share of a row. `cross_tokens` replaces the model's own number.
[[nodiscard]] std::vector<kv_part> kv_parts(const model_shape& m, const number_format& format,
                                            const parallel_layout& layout = {}, std::int64_t tokens = 1 << 20,
                                            std::optional<std::int64_t> cross_tokens = {});

// Bytes per token while windows fill, bytes per token once they are full (growth), and the constant part of a
// long sequence (full windows, states, cross-attention).
struct kv_rates {
  double bytes_per_token = 0, growth_bytes_per_token = 0, fixed_bytes_per_sequence = 0;
};
// Rates of all parts together.
[[nodiscard]] kv_rates rates_of(const std::vector<kv_part>& parts);
// Sum of kv_part::bytes() over the parts.
[[nodiscard]] double sequence_bytes(const std::vector<kv_part>& parts, std::int64_t tokens,
                                    std::int64_t block_tokens = 0);

// Layers [first, last) of a pipeline stage.
struct stage_layers {
  std::int64_t first = 0, last = 0;
};
// Divides the layers as evenly as possible; remaining layers go to the stages before the last, from the back
// (vLLM's get_pp_indices). `stage` is in [0, stages).
[[nodiscard]] stage_layers stage_of(std::int64_t layers, int stages, int stage);

// A batch of sequences whose KV cache is to be sized.
struct kv_question {
  std::int64_t tokens = 4096;  // per sequence: prompt and answer
  std::int64_t batch = 1;      // sequences of all data-parallel replicas together
  number_format format{};      // storage of keys and values
  parallel_layout layout{};
  std::int64_t block_tokens = 0;      // 0: no rounding
  std::int64_t prefix_tokens = 0;     // shared by `prefix_sequences` of the batch and kept once
  std::int64_t prefix_sequences = 0;  // 0: the whole batch
  std::optional<std::int64_t> cross_tokens{};
  double overhead = 0;  // relative addition to the allocated bytes
};

// The size of a KV cache, in bytes: of the whole model, then per GPU.
struct kv_cache {
  std::vector<kv_part> parts{};  // parts of the whole model
  double bytes_per_token = 0, growth_bytes_per_token = 0, fixed_bytes_per_sequence = 0;
  double sequence_bytes = 0;   // one sequence of `tokens`
  double total_bytes = 0;      // the whole batch without rounding; shared prefixes count once
  double allocated_bytes = 0;  // with whole blocks and the overhead
  double bytes_per_token_per_gpu = 0, growth_bytes_per_token_per_gpu = 0,
         fixed_bytes_per_sequence_per_gpu = 0;
  double total_bytes_per_gpu = 0;      // total_bytes on the GPU that keeps the most
  double allocated_bytes_per_gpu = 0;  // allocated_bytes on that GPU
  std::vector<std::string> warnings{};
  plan::derivation derivation{};
};

// Sizes the cache of a batch. The error names the member of the question that is out of range.
[[nodiscard]] result<kv_cache> size_kv_cache(const model_shape& m, const kv_question& q);

// Largest batch, or longest sequence in tokens, whose allocated bytes fit into the budget of each GPU; 0 when
// not even one does. At most 2^40.
[[nodiscard]] std::int64_t most_sequences(const model_shape& m, kv_question q, double budget_bytes_per_gpu);
[[nodiscard]] std::int64_t longest_sequence(const model_shape& m, kv_question q, double budget_bytes_per_gpu);

// Sizes of a decoder that suffice for its KV cache. Without kv_heads, every head has its own keys and values,
// and model_shape::doubts says so.
struct decoder_sizes {
  std::int64_t layers = 0, hidden = 0, heads = 0, kv_heads = 0, head_dim = 0;
};
// A model of these sizes with full attention in every layer. The error names the size that is missing.
[[nodiscard]] result<model_shape> model_of_sizes(const decoder_sizes& s);

}  // namespace ridge::plan
