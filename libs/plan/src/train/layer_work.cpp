// SPDX-License-Identifier: Apache-2.0
#include "layer_work.hpp"

#include <algorithm>

#include "as_real.hpp"

namespace ridge::plan::train {
namespace {

void add_latent(product_list& out, const attention_shape& a, double hidden) {
  const double heads = as_real(a.heads);
  const double query = heads * as_real(a.nope_dim + a.rope_dim);
  if (a.query_rank > 0) {
    out.add({.columns = as_real(a.query_rank), .inner = hidden});
    out.add({.columns = query, .inner = as_real(a.query_rank), .split = matrix_split::columns});
  } else {
    out.add({.columns = query, .inner = hidden, .split = matrix_split::columns});
  }
  out.add({.columns = as_real(a.kv_rank + a.rope_dim), .inner = hidden});
  out.add({.columns = heads * as_real(a.nope_dim + a.value_head_dim),
           .inner = as_real(a.kv_rank),
           .split = matrix_split::columns});
  out.add({.columns = hidden, .inner = heads * as_real(a.value_head_dim), .split = matrix_split::rows});
}

void add_heads(product_list& out, const attention_shape& a, double hidden) {
  const double query = as_real(a.heads * a.head_dim) * (a.output_gate ? 2 : 1);
  const double key_value =
      as_real(a.kv_heads * a.head_dim) + (a.one_matrix() ? 0 : as_real(a.kv_heads * value_dim(a)));
  out.add({.columns = query + key_value,
           .inner = hidden,
           .split = matrix_split::columns,
           .replicated_columns = key_value,
           .most_ranks = std::max(1.0, as_real(a.kv_heads))});
  out.add({.columns = hidden, .inner = as_real(a.heads * value_dim(a)), .split = matrix_split::rows});
}

void add_indexer(product_list& out, const attention_shape& a, double hidden) {
  if (a.indexer_heads == 0) return;
  out.add({.columns = as_real(a.indexer_heads * a.indexer_dim + a.indexer_dim), .inner = hidden});
}

void add_feed_forward(product_list& out, double intermediate, bool gated, double hidden) {
  if (intermediate <= 0) return;
  out.add({.columns = intermediate * (gated ? 2 : 1), .inner = hidden, .split = matrix_split::columns});
  out.add({.columns = hidden, .inner = intermediate, .split = matrix_split::rows});
}

double windowed_keys(double window, double sequence) {
  return sequence <= window ? sequence / 2 : window - window * window / (2 * sequence);
}

}  // namespace

std::int64_t value_dim(const attention_shape& a) {
  return a.value_head_dim > 0 ? a.value_head_dim : a.head_dim;
}

double product_list::weights() const {
  double sum = 0;
  for (const auto& p : all()) sum += p.columns * p.inner;
  return sum;
}

product_list mixer_products(const attention_shape& a, double hidden) {
  product_list out;
  switch (a.kind) {
    case attention_kind::none:
      return out;
    case attention_kind::linear:
      out.add(
          {.columns = as_real(a.mixer_parameters) / hidden, .inner = hidden, .split = matrix_split::columns});
      return out;
    case attention_kind::latent:
      add_latent(out, a, hidden);
      break;
    default:
      add_heads(out, a, hidden);
  }
  add_indexer(out, a, hidden);
  return out;
}

product_list dense_products(const feed_forward_shape& f, double hidden) {
  product_list out;
  add_feed_forward(out, as_real(f.intermediate), f.gated, hidden);
  add_feed_forward(out, as_real(f.shared_experts * f.shared_intermediate), f.gated, hidden);
  if (f.experts > 0) out.add({.columns = as_real(f.experts), .inner = hidden});
  return out;
}

double expert_weights(const feed_forward_shape& f, double hidden) {
  return as_real(f.expert_intermediate) * hidden * (f.gated ? 3 : 2);
}

double mean_keys(const attention_shape& a, double sequence) {
  switch (a.kind) {
    case attention_kind::none:
    case attention_kind::linear:
      return 0;
    case attention_kind::sliding:
      return windowed_keys(as_real(a.window), sequence);
    case attention_kind::chunked:
      return std::min(as_real(a.window), sequence) / 2;
    default:
      break;
  }
  return a.indexer_top_k > 0 ? windowed_keys(as_real(a.indexer_top_k), sequence) : sequence / 2;
}

double core_flop(const attention_shape& a) {
  const bool latent = a.kind == attention_kind::latent;
  const auto query_dim = latent ? a.nope_dim + a.rope_dim : a.head_dim;
  return 2 * as_real(a.heads) * as_real(query_dim + value_dim(a));
}

double indexer_flop(const attention_shape& a) { return 2 * as_real(a.indexer_heads * a.indexer_dim); }

double recurrence_flop(const attention_shape& a) {
  return a.kind == attention_kind::linear ? 6 * as_real(a.state_elements) : 0;
}

double passed_elements(const attention_shape& a, double tensor) {
  if (a.kind == attention_kind::latent) return as_real(a.kv_rank + a.rope_dim);
  return std::max(1.0, as_real(a.kv_heads) / tensor) * as_real(a.head_dim + value_dim(a));
}

}  // namespace ridge::plan::train
