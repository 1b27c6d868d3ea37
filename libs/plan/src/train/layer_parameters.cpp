// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <ridge/plan/adapters.hpp>

#include "as_real.hpp"
#include "layer_memory.hpp"

namespace ridge::plan::train {
namespace {

bool keeps_keys(const attention_shape& a) {
  return !a.reuses_cache && (a.kind == attention_kind::full || a.kind == attention_kind::sliding ||
                             a.kind == attention_kind::chunked);
}

double key_value_parameters(const attention_shape& a, double h) {
  if (!keeps_keys(a)) return 0;
  const double value = a.one_matrix() ? 0 : as_real(a.value_head_dim);
  return as_real(a.kv_heads) * (as_real(a.head_dim) + value) * (h + (a.query_key_bias ? 1 : 0));
}

// The compressing projections of MLA are whole on every tensor rank: all heads need their outputs.
double compressing_parameters(const attention_shape& a, double h) {
  if (a.kind != attention_kind::latent) return 0;
  const double indexer =
      as_real(a.indexer_heads * a.indexer_dim) * as_real(std::max(a.query_rank, std::int64_t{1}));
  return h * as_real(a.query_rank + a.kv_rank + a.rope_dim) +
         (a.indexer_heads > 0 ? indexer + h * as_real(a.indexer_dim + a.indexer_heads) : 0);
}

struct adapters {
  double tensor = 0, replicated = 0;
};

// Divided are the outputs or the inputs of a product; the adapter's other matrix is whole on every rank.
adapters adapters_of(const layer_shape& l, std::int64_t h, std::int64_t rank) {
  using division = adapted_product::division;
  adapters made;
  for (const auto& p : adapted_products(l, h, adapter_targets::all)) {
    const double a = as_real(rank) * as_real(p.inputs), b = as_real(rank) * as_real(p.outputs);
    made.tensor += (p.divided == division::inputs ? a : 0) + (p.divided == division::outputs ? b : 0);
    made.replicated += (p.divided == division::inputs ? 0 : a) + (p.divided == division::outputs ? 0 : b);
  }
  return made;
}

double widest(const layer_shape& l, double h) {
  const auto& a = l.attention;
  const auto& f = l.feed_forward;
  const double heads = as_real(a.heads * std::max(a.head_dim, a.nope_dim + a.rope_dim));
  return h * std::max({heads, (f.gated ? 2 : 1) * as_real(std::max(f.intermediate, f.expert_intermediate)),
                       (f.gated ? 2 : 1) * as_real(f.shared_experts * f.shared_intermediate)});
}

}  // namespace

layer_parameters parameters_of_layer(const model_shape& model, std::size_t kind, std::int64_t adapter_rank) {
  const auto& layer = model.kinds[kind];
  const double h = as_real(model.hidden);
  const auto at = std::ranges::find(model.order, static_cast<std::uint8_t>(kind)) - model.order.begin();
  if (at == model.layers()) return {};
  const auto counts = count_parameters(model, at, at + 1);
  const auto adapted = adapters_of(layer, model.hidden, adapter_rank);
  layer_parameters made{.key_value = key_value_parameters(layer.attention, h),
                        .replicated = compressing_parameters(layer.attention, h) + as_real(counts.router),
                        .vectors = as_real(counts.norms),
                        .experts = as_real(counts.experts),
                        .adapters_tensor = adapted.tensor,
                        .adapters_replicated = adapted.replicated,
                        .widest_matrix = widest(layer, h)};
  made.tensor = as_real(counts.attention + counts.dense_feed_forward + counts.shared_experts) -
                made.key_value - compressing_parameters(layer.attention, h);
  return made;
}

}  // namespace ridge::plan::train
