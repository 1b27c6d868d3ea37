// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/model_shape.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <ridge/base/expects.hpp>

#include "saturating.hpp"

namespace ridge::plan {
namespace {

using n = saturating;

// DeepSeek-V2 (arXiv 2405.04434) section 2.1, with the norms of both ranks.
n latent_parameters(n hidden, const attention_shape& a) {
  const n query = n(a.heads) * (n(a.nope_dim) + a.rope_dim);
  const n into_query =
      a.query_rank > 0 ? hidden * a.query_rank + a.query_rank + n(a.query_rank) * query : hidden * query;
  const n into_keys = hidden * (n(a.kv_rank) + a.rope_dim) + a.kv_rank +
                      n(a.kv_rank) * a.heads * (n(a.nope_dim) + a.value_head_dim);
  return into_query + into_keys + n(a.heads) * a.value_head_dim * hidden;
}

// DeepSeek-V3.2: queries come from the compressed query, the single key from the hidden state with a layer
// norm, and each head has a weight. In DeepSeek-V4 the key comes from a compressor, which is counted with the
// mixer.
n indexer_parameters(n hidden, const attention_shape& a) {
  if (a.indexer_heads == 0) return 0;
  const n from = a.query_rank > 0 ? n(a.query_rank) : hidden;
  if (a.tokens_per_row > 1) return from * a.indexer_heads * a.indexer_dim + hidden * a.indexer_heads;
  return from * a.indexer_heads * a.indexer_dim + hidden * a.indexer_dim + n(2) * a.indexer_dim +
         hidden * a.indexer_heads;
}

n norm_of_heads(const attention_shape& a) {
  if (a.query_key_norm_wide) return (n(a.heads) + a.kv_heads) * a.head_dim;
  return a.query_key_norm ? n(2) * a.head_dim : n(0);
}

n query_parameters(n hidden, const attention_shape& a) {
  const n queries = n(a.heads) * a.head_dim;
  return a.query_rank > 0 ? hidden * a.query_rank + a.query_rank + n(a.query_rank) * queries
                          : hidden * queries;
}

n output_parameters(n hidden, const attention_shape& a) {
  const n output = n(a.heads) * a.value_head_dim;
  return a.output_rank > 0 ? output * a.output_rank + n(a.output_groups) * a.output_rank * hidden
                           : output * hidden;
}

n head_parameters(n hidden, const attention_shape& a) {
  const n queries = n(a.heads) * a.head_dim;
  const n keys = n(a.kv_heads) * a.head_dim;
  const bool one_matrix = a.one_matrix();
  const n values = one_matrix ? n(0) : n(a.kv_heads) * a.value_head_dim;
  const n kept = a.reuses_cache ? n(0) : keys + values;
  const n kept_biases = a.keys_without_bias ? values : kept;
  return query_parameters(hidden, a) + hidden * kept + output_parameters(hidden, a) +
         (a.query_key_bias ? queries + kept_biases : n(0)) + (a.output_bias ? hidden : n(0)) +
         norm_of_heads(a);
}

n self_attention_parameters(n hidden, const attention_shape& a) {
  const n more = n(a.mixer_parameters) + (a.sinks ? a.heads : 0) +
                 (a.output_gate ? hidden * a.heads * a.value_head_dim : n(0));
  switch (a.kind) {
    case attention_kind::none:
      return 0;
    case attention_kind::linear:
      return a.mixer_parameters;
    case attention_kind::latent:
      return latent_parameters(hidden, a) + indexer_parameters(hidden, a) + more;
    case attention_kind::full:
    case attention_kind::sliding:
    case attention_kind::chunked:
      return head_parameters(hidden, a) + indexer_parameters(hidden, a) + more;
  }
  return 0;
}

n attention_parameters(n hidden, const layer_shape& l) {
  const n cross = l.cross_kv_tokens > 0 ? head_parameters(hidden, l.attention) : n(0);
  return self_attention_parameters(hidden, l.attention) + cross;
}

n block_parameters(n hidden, n intermediate, const feed_forward_shape& f, bool bias) {
  const n into = f.gated ? 2 : 1;
  return (into + 1) * hidden * intermediate + (bias ? into * intermediate + hidden : n(0));
}

n shared_parameters(n hidden, const feed_forward_shape& f) {
  const n blocks = n(f.shared_experts) * block_parameters(hidden, f.shared_intermediate, f, f.expert_bias);
  const n into_experts = f.expert_hidden > 0 ? n(2) * hidden * f.expert_hidden : n(0);
  return blocks + into_experts + (f.shared_gate ? hidden : n(0));
}

void add(std::int64_t& sum, n more) { sum = (n(sum) + more).value(); }

void add_experts(parameter_counts& counts, n hidden, const feed_forward_shape& f) {
  const n width = f.expert_hidden > 0 ? n(f.expert_hidden) : hidden;
  const n one = block_parameters(width, f.expert_intermediate, f, f.expert_bias);
  add(counts.experts, n(f.experts) * one);
  add(counts.active_experts, n(std::min(f.active_experts, f.experts)) * one);
  add(counts.router, hidden * f.experts + (f.router_bias ? f.experts : 0));
  add(counts.shared_experts, shared_parameters(hidden, f));
}

void add_layer(parameter_counts& counts, n hidden, const layer_shape& l) {
  add(counts.attention, attention_parameters(hidden, l));
  add(counts.norms, l.norm_parameters);
  if (l.feed_forward.experts > 0)
    add_experts(counts, hidden, l.feed_forward);
  else
    add(counts.dense_feed_forward, block_parameters(hidden, l.feed_forward.intermediate, l.feed_forward,
                                                    l.feed_forward.bias && l.feed_forward.intermediate > 0));
}

// DeepSeek-V3 (arXiv 2412.19437) section 2.2: a layer of the last kind, a projection of two hidden states
// into one, and norms of both and of the output; embedding and head are shared with the model.
n prediction_parameters(const model_shape& m) {
  if (m.prediction_layers == 0 || m.order.empty()) return 0;
  parameter_counts one;
  add_layer(one, m.hidden, m.kinds[m.order.back()]);
  return n(m.prediction_layers) * (n(one.total()) + n(2) * m.hidden * m.hidden + n(3) * m.hidden);
}

n encoder_parameters(const model_shape& m) {
  if (m.encoder.layers == 0) return 0;
  parameter_counts one;
  add_layer(one, m.hidden, m.encoder.layer);
  return n(m.encoder.layers) * one.total() + m.encoder.other_parameters;
}

}  // namespace

result<void> require_decoder(const model_shape& m, std::string_view answer) {
  if (m.stack == model_stack::decoder) return {};
  const bool alone = m.stack == model_stack::encoder;
  return error{
      fmt::format("{} {}; {} is about decoders alone", m.name,
                  alone ? "is an encoder, which writes no tokens" : "has an encoder beside its decoder",
                  answer),
      "`ridge plan models`, `kv-cache` and `memory infer` count such a model"};
}

result<void> check_request(const model_shape& m, std::int64_t tokens) {
  if (m.max_positions <= 0 || tokens <= m.max_positions) return {};
  return error{
      fmt::format("a request of {} tokens is longer than the context of {}: {} tokens", tokens,
                  m.name.empty() ? "the model" : m.name, m.max_positions),
      "give shorter prompts or answers; or --config with a longer max_position_embeddings, where the "
      "checkpoint takes one"};
}

std::int64_t parameter_counts::total() const {
  return (n(embedding) + head + attention + dense_feed_forward + experts + shared_experts + router + norms +
          encoder + other)
      .value();
}

std::int64_t parameter_counts::active() const { return total() - experts + active_experts; }

std::int64_t parameter_counts::active_without_input_embedding() const {
  return head > 0 ? active() - embedding : active();
}

std::int64_t model_shape::layers_of(std::size_t kind) const {
  return std::ranges::count(order, static_cast<std::uint8_t>(kind));
}

bool model_shape::has_experts() const {
  return std::ranges::any_of(kinds, [](const layer_shape& l) { return l.feed_forward.experts > 0; });
}

bool model_shape::has_latent_attention() const {
  return std::ranges::any_of(
      kinds, [](const layer_shape& layer) { return layer.attention.kind == attention_kind::latent; });
}

parameter_counts count_parameters(const model_shape& m, std::int64_t first, std::int64_t last) {
  expects(first >= 0 && first <= last && last <= m.layers(), "count_parameters: layers outside the model");
  parameter_counts all;
  for (auto i = first; i < last; ++i) add_layer(all, m.hidden, m.layer(i));
  return all;
}

parameter_counts count_parameters(const model_shape& m) {
  auto all = count_parameters(m, 0, m.layers());
  const n vocabulary = n(m.vocabulary) * m.hidden;
  all.embedding = (vocabulary + n(m.position_embeddings) * m.hidden).value();
  all.head = m.tied_embeddings ? 0 : vocabulary.value();
  add(all.norms, m.final_norm_parameters);
  all.encoder = encoder_parameters(m).value();
  all.other = m.other_parameters;
  all.prediction_layers = prediction_parameters(m).value();
  return all;
}

}  // namespace ridge::plan
