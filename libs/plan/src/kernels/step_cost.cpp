// SPDX-License-Identifier: Apache-2.0
#include "step_cost.hpp"

#include <algorithm>
#include <cmath>

#include "as_real.hpp"
#include "divided_up.hpp"
#include "stored_weights.hpp"

namespace ridge::plan::kernels {
namespace {

constexpr double sixteen_bit_bytes = 2;
constexpr number_format sixteen_bit{"bf16", 2, 2, "bf16", "16 bit"};

// The format of matrices with so many bytes an element, where a checkpoint mixes formats: that of the
// products, with the bytes that are read.
number_format mixed(double bytes, const number_format& weights) {
  if (bytes == 0 || bytes == weights.bytes_per_element) return weights;
  if (bytes >= 1.5) return sixteen_bit;
  auto format = bytes >= 0.9 && weights.element_bytes < 1 ? *number_format_named("fp8") : weights;
  format.bytes_per_element = bytes;
  return format;
}

mean_bytes means_of(const step_request& request, const number_format& weights) {
  const bool own = request.weight_format.empty() || weights.name == request.model.weight_format;
  return mean_bytes_of(
      request.model, {.weights = weights, .experts_only = request.model.experts_only_quantized, .own = own});
}

// The number of `context` cached tokens that a query attends to.
double seen_of(const attention_shape& a, double context) {
  const bool limited = a.kind == attention_kind::sliding || a.kind == attention_kind::chunked;
  if (limited && a.window > 0) return std::min(context, as_real(a.window));
  return a.indexer_top_k > 0 ? std::min(context, as_real(a.indexer_top_k)) : context;
}

}  // namespace

double scaled_s(const kernel_time& t, const kernel_scaling& scaling) {
  return std::max(t.compute_s / scaling.flop, t.memory_s / scaling.bandwidth) + t.floor_s;
}

step_cost::step_cost(const step_request& request, const kernel_times& kernels, const number_format& weights,
                     const number_format& kv)
    : request_(request),
      kernels_(kernels),
      dense_(mixed(means_of(request, weights).dense, weights)),
      experts_(mixed(means_of(request, weights).experts, weights)),
      head_(sixteen_bit),
      kv_(kv),
      attention_ranks_(request.layout.data_parallel_attention ? 1 : request.layout.tensor) {}

std::int64_t step_cost::split(std::int64_t count) const { return divided_up(count, attention_ranks_); }

void step_cost::add(kernel_cost& cost, double times, const kernel_time& t) const {
  cost.seconds += times * scaled_s(t, request_.scaling);
  cost.kernels += t.seconds() > 0 ? times : 0;
}

void step_cost::add_product(kernel_cost& cost, double layers, std::int64_t m, std::int64_t n, std::int64_t k,
                            const number_format& w) const {
  if (m > 0 && n > 0 && k > 0) add(cost, layers, kernels_.of(product{m, n, k, w}));
}

void step_cost::add_elementwise(kernel_cost& cost, double layers, double bytes) const {
  if (bytes > 0) add(cost, layers, kernels_.elementwise(bytes));
}

void step_cost::add_exchange(kernel_cost& cost, double layers, const exchange& e) const {
  if (e.ranks <= 1 || layers <= 0) return;
  add(cost, layers, kernels_.of(e));
  cost.seconds += layers * request_.scaling.collective_floor_s;
}

head_shape step_cost::heads_of(const attention_shape& a) const {
  const auto value_dim = a.value_head_dim > 0 ? a.value_head_dim : a.head_dim;
  return {split(a.heads), split(a.kv_heads), a.head_dim, value_dim, kv_.bytes_per_element};
}

latent_shape step_cost::latent_of(const attention_shape& a) const {
  return {split(a.heads), a.kv_rank, a.rope_dim, a.nope_dim, a.value_head_dim, kv_.bytes_per_element};
}

void step_cost::add_latent(const attention_shape& a, std::int64_t tokens, double layers,
                           token_cost& cost) const {
  const auto h = request_.model.hidden, heads = split(a.heads), key = a.nope_dim + a.rope_dim;
  // Every rank has the compressing projections whole; the expanding ones are divided by heads.
  add_product(cost.products, layers, tokens, a.query_rank + a.kv_rank + a.rope_dim, h, dense_);
  add_product(cost.products, layers, tokens, heads * key, a.query_rank > 0 ? a.query_rank : h, dense_);
  add_product(cost.products, layers, tokens, heads * a.kv_rank, a.nope_dim, dense_);
  add_product(cost.products, layers, tokens, heads * a.value_head_dim, a.kv_rank, dense_);
  add_product(cost.products, layers, tokens, h, heads * a.value_head_dim, dense_);
  if (a.indexer_heads > 0) {
    const auto width = a.query_rank > 0 ? a.query_rank : h;
    add_product(cost.products, layers, tokens, a.indexer_heads * a.indexer_dim, width, dense_);
  }
  add_elementwise(cost.elementwise, layers, 4 * sixteen_bit_bytes * as_real(tokens * heads * key));
}

void step_cost::add_heads(const attention_shape& a, std::int64_t tokens, double layers,
                          token_cost& cost) const {
  const auto heads = heads_of(a);
  const auto keys_and_values = a.one_matrix() ? heads.head_dim : heads.head_dim + heads.value_head_dim;
  const auto queries = heads.heads * heads.head_dim * (a.output_gate ? 2 : 1);
  const auto width = queries + heads.kv_heads * keys_and_values;
  add_product(cost.products, layers, tokens, width, request_.model.hidden, dense_);
  add_product(cost.products, layers, tokens, request_.model.hidden, heads.heads * heads.value_head_dim,
              dense_);
  // Rotary embedding and writing the cache: read and written once.
  add_elementwise(cost.elementwise, layers, 2 * sixteen_bit_bytes * as_real(tokens * width));
}

void step_cost::add_attention(const layer_shape& l, std::int64_t tokens, double layers,
                              token_cost& cost) const {
  const auto& a = l.attention;
  if (a.kind == attention_kind::none) return;
  if (a.kind == attention_kind::latent) {
    add_latent(a, tokens, layers, cost);
  } else if (a.kind == attention_kind::linear) {
    const auto width =
        divided_up(split(a.mixer_parameters), std::max<std::int64_t>(request_.model.hidden, 1));
    add_product(cost.products, layers, tokens, width, request_.model.hidden, dense_);
    add_elementwise(cost.elementwise, layers, 2 * sixteen_bit_bytes * as_real(tokens * width));
  } else {
    add_heads(a, tokens, layers, cost);
  }
  const double bytes = sixteen_bit_bytes * as_real(tokens * request_.model.hidden);
  add_exchange(cost.collectives, layers, {collective::all_reduce, bytes, static_cast<int>(attention_ranks_)});
}

void step_cost::add_experts(const feed_forward_shape& f, std::int64_t tokens, double layers,
                            token_cost& cost) const {
  const auto& l = request_.layout;
  const int spread = std::max(l.expert, 1), sharing = std::max(l.expert_tensor, l.tensor / spread);
  const auto all_tokens = tokens * l.data * (l.data_parallel_attention ? l.tensor : 1);
  add_product(cost.products, layers, tokens, f.experts, request_.model.hidden, head_);
  const expert_products e{all_tokens,
                          request_.model.hidden,
                          f.expert_intermediate,
                          f.experts,
                          f.active_experts,
                          std::max(sharing, 1),
                          spread,
                          f.gated,
                          experts_};
  add(cost.experts, layers, kernels_.of(e));
  if (l.data > 1) {  // the ranks' tokens are gathered before the experts, and their sums scattered after
    const double bytes = sixteen_bit_bytes * as_real(all_tokens * request_.model.hidden);
    add_exchange(cost.collectives, layers, {collective::all_gather, bytes, l.data});
    add_exchange(cost.collectives, layers, {collective::reduce_scatter, bytes, l.data});
  }
  if (!l.data_parallel_attention) return;
  const double routed = sixteen_bit_bytes * as_real(tokens * f.active_experts * request_.model.hidden);
  add_exchange(cost.collectives, 2 * layers, {collective::all_to_all, routed, l.tensor});
}

void step_cost::add_feed_forward(const feed_forward_shape& f, std::int64_t tokens, double layers,
                                 token_cost& cost) const {
  const auto h = request_.model.hidden;
  const bool experts = f.experts > 0;
  const auto wide = experts ? f.shared_experts * f.shared_intermediate : f.intermediate;
  const auto own = divided_up(wide, request_.layout.tensor);
  add_product(cost.products, layers, tokens, own * (f.gated ? 2 : 1), h, dense_);
  add_product(cost.products, layers, tokens, h, own, dense_);
  add_elementwise(cost.elementwise, layers, (f.gated ? 3 : 2) * sixteen_bit_bytes * as_real(tokens * own));
  if (experts) add_experts(f, tokens, layers, cost);
  if (experts && request_.layout.data_parallel_attention) return;
  if (!experts && wide == 0) return;
  const double bytes = sixteen_bit_bytes * as_real(tokens * h);
  add_exchange(cost.collectives, layers, {collective::all_reduce, bytes, request_.layout.tensor});
}

token_cost step_cost::of_tokens(std::int64_t tokens) const {
  token_cost c;
  if (tokens <= 0) return c;
  const double row = sixteen_bit_bytes * as_real(tokens * request_.model.hidden);
  for (std::size_t kind = 0; kind < request_.model.kinds.size(); ++kind) {
    const double layers = as_real(request_.model.layers_of(kind));
    const auto& l = request_.model.kinds[kind];
    add_attention(l, tokens, layers, c);
    add_feed_forward(l.feed_forward, tokens, layers, c);
    // Two norms, each with the residual: two rows read, two written.
    add_elementwise(c.elementwise, 2 * layers, 4 * row);
  }
  add_elementwise(c.elementwise, 1, 2 * row);
  add_exchange(c.collectives, 1, {collective::all_reduce, row, static_cast<int>(attention_ranks_)});
  add_exchange(c.collectives, request_.layout.pipeline - 1, {collective::point_to_point, row, 2});
  return c;
}

kernel_cost step_cost::of_head(std::int64_t rows) const {
  kernel_cost c;
  if (rows <= 0) return c;
  const auto own = divided_up(request_.model.vocabulary, request_.layout.tensor);
  add_product(c, 1, rows, own, request_.model.hidden, head_);
  add_exchange(c, 1,
               {collective::all_gather, sixteen_bit_bytes * as_real(rows * request_.model.vocabulary),
                request_.layout.tensor});
  // Sampling passes over 32-bit logits: once to convert, once to pick.
  add_elementwise(c, 2, 2 * 4 * as_real(rows * request_.model.vocabulary));
  return c;
}

kernel_time step_cost::decode_of(const layer_shape& l, std::int64_t sequences, double mean_context) const {
  const auto& a = l.attention;
  const double context = seen_of(a, mean_context) * as_real(sequences),
               queries = request_.tokens_per_sequence;
  if (a.kind == attention_kind::none) return {};
  if (a.kind == attention_kind::linear)
    return kernels_.elementwise(2 * sixteen_bit_bytes *
                                as_real(sequences * split(a.state_elements + a.convolution_elements)));
  if (a.kind == attention_kind::latent)
    return kernels_.of(latent_decode{latent_of(a), sequences, context, queries});
  return kernels_.of(decode_attention{heads_of(a), sequences, context, queries});
}

kernel_time step_cost::prefill_of(const layer_shape& l, std::int64_t tokens, double mean_context) const {
  const auto& a = l.attention;
  const double seen = seen_of(a, mean_context), pairs = seen * as_real(tokens);
  const auto whole = static_cast<std::int64_t>(as_real(tokens) / std::max(2 * mean_context - 1, 1.0));
  const auto sequences = std::max<std::int64_t>(whole, 1);
  if (a.kind == attention_kind::none) return {};
  if (a.kind == attention_kind::linear)
    return kernels_.elementwise(2 * sixteen_bit_bytes *
                                as_real(sequences * split(a.state_elements + a.convolution_elements)));
  if (a.kind == attention_kind::latent)
    return kernels_.of(latent_prefill{latent_of(a), sequences, tokens, pairs});
  return kernels_.of(prefill_attention{heads_of(a), sequences, tokens, pairs});
}

kernel_cost step_cost::of_decode(std::int64_t sequences, double mean_context) const {
  kernel_cost c;
  for (std::size_t kind = 0; sequences > 0 && kind < request_.model.kinds.size(); ++kind) {
    const auto& l = request_.model.kinds[kind];
    const double layers = as_real(request_.model.layers_of(kind));
    add(c, layers, decode_of(l, sequences, mean_context));
    if (l.attention.indexer_top_k > 0)
      add(c, layers, kernels_.elementwise(as_real(sequences * l.attention.indexer_dim) * mean_context));
    if (l.cross_kv_tokens > 0) add(c, layers, decode_of(l, sequences, as_real(l.cross_kv_tokens)));
  }
  return c;
}

kernel_cost step_cost::of_prefill(std::int64_t tokens, double mean_context) const {
  kernel_cost c;
  for (std::size_t kind = 0; tokens > 0 && kind < request_.model.kinds.size(); ++kind) {
    const auto& l = request_.model.kinds[kind];
    const double layers = as_real(request_.model.layers_of(kind));
    add(c, layers, prefill_of(l, tokens, mean_context));
    if (l.cross_kv_tokens > 0) add(c, layers, prefill_of(l, tokens, as_real(l.cross_kv_tokens)));
  }
  return c;
}

}  // namespace ridge::plan::kernels
