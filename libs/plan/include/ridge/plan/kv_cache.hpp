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

// What some layers keep of a sequence on one GPU. A layer may keep several things: rows of keys and values,
// an indexer's keys, a state.
struct kv_part {
  std::string what{};  // "keys and values, window 128"
  std::int64_t layers = 0;
  double row_bytes = 0;             // of one token, a layer
  std::int64_t window = 0;          // rows at most; 0: as many as tokens
  std::int64_t tokens_per_row = 1;  // one row for so many tokens
  double fixed_bytes = 0;           // a sequence and layer, whatever its length: states, cross-attention

  // Of a sequence of so many tokens, all layers. With blocks, whole blocks of so many rows: a window takes
  // one block more than it fills, since it may begin inside one (vLLM's SlidingWindowSpec).
  [[nodiscard]] double bytes(std::int64_t tokens, std::int64_t block_tokens = 0) const;
};

// Every part of the model's cache; with a layout, on a GPU of the pipeline stage that keeps the most of a
// sequence of `tokens`. Heads are split over tensor ranks and replicated where there are fewer of them; a
// latent row (MLA) stands whole on every rank; data-parallel attention keeps everything whole. Tokens are
// dealt out to context ranks, so that a row costs each its share. `cross_tokens`: instead of the model's own.
[[nodiscard]] std::vector<kv_part> kv_parts(const model_shape& m, const number_format& format,
                                            const parallel_layout& layout = {}, std::int64_t tokens = 1 << 20,
                                            std::optional<std::int64_t> cross_tokens = {});

// What the parts come to: rows of one token in all layers; those that are still added once windows are full;
// what a sequence keeps beside them once they are (full windows, states, cross-attention).
struct kv_rates {
  double bytes_per_token = 0, growth_bytes_per_token = 0, fixed_bytes_per_sequence = 0;
};
[[nodiscard]] kv_rates rates_of(const std::vector<kv_part>& parts);
[[nodiscard]] double sequence_bytes(const std::vector<kv_part>& parts, std::int64_t tokens,
                                    std::int64_t block_tokens = 0);

// Layers [first, last) of a pipeline stage: as even as can be, one layer more from the last stage but one
// backwards (vLLM's get_pp_indices).
struct stage_layers {
  std::int64_t first = 0, last = 0;
};
[[nodiscard]] stage_layers stage_of(std::int64_t layers, int stages, int stage);

struct kv_question {
  std::int64_t tokens = 4096;  // of a sequence: prompt and answer
  std::int64_t batch = 1;      // sequences, over all data-parallel replicas
  number_format format{};      // of keys and values
  parallel_layout layout{};
  std::int64_t block_tokens = 0;      // 0: no rounding
  std::int64_t prefix_tokens = 0;     // the same in `prefix_sequences` of the batch, kept once
  std::int64_t prefix_sequences = 0;  // 0: the whole batch
  std::optional<std::int64_t> cross_tokens{};
  double overhead = 0;  // share put on top
};

struct kv_cache {
  std::vector<kv_part> parts{};  // of the whole model
  double bytes_per_token = 0, growth_bytes_per_token = 0, fixed_bytes_per_sequence = 0;
  double sequence_bytes = 0;   // of one sequence at `tokens`
  double total_bytes = 0;      // the batch, exact: windows at most full, nothing rounded, prefixes once
  double allocated_bytes = 0;  // in whole blocks and with the overhead
  double bytes_per_token_per_gpu = 0, growth_bytes_per_token_per_gpu = 0,
         fixed_bytes_per_sequence_per_gpu = 0;
  double total_bytes_per_gpu = 0;      // as total_bytes, on the GPU that keeps the most
  double allocated_bytes_per_gpu = 0;  // as allocated_bytes
  std::vector<std::string> warnings{};
  derivation how{};
};

// The error names the member of the question that makes no sense.
[[nodiscard]] result<kv_cache> size_kv_cache(const model_shape& m, const kv_question& q);

// The largest batch, or the longest sequence, whose allocated bytes fit into so many bytes of each GPU; 0:
// not even one. At most 2^40.
[[nodiscard]] std::int64_t most_sequences(const model_shape& m, kv_question q, double budget_bytes_per_gpu);
[[nodiscard]] std::int64_t longest_sequence(const model_shape& m, kv_question q, double budget_bytes_per_gpu);

// A decoder of which only these sizes are known, enough for its cache alone. Heads that are not given count
// as many as there are: every head has its own keys and values, and `doubts` says so.
struct decoder_sizes {
  std::int64_t layers = 0, hidden = 0, heads = 0, kv_heads = 0, head_dim = 0;
};
[[nodiscard]] result<model_shape> model_of_sizes(const decoder_sizes& s);

}  // namespace ridge::plan
