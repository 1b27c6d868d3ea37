// SPDX-License-Identifier: Apache-2.0
#include "stored_weights.hpp"

#include <algorithm>

#include <ridge/base/expects.hpp>

#include "as_real.hpp"
#include "inference_parts.hpp"

namespace ridge::plan {
namespace {

// Embeddings, head, norms and routers are not quantized.
double plain_bytes(const applied_formats& f) {
  return f.weights.element_bytes >= 2 ? f.weights.bytes_per_element : 2;
}

void take(double& bytes, double stored) {
  if (stored > 0) bytes = stored;
}

}  // namespace

applied_formats own_formats(const model_shape& m) {
  const auto format = number_format_named(m.weight_format);
  expects(format.ok(), "own_formats: a model of no known format");
  return {.weights = *format, .experts_only = m.experts_only_quantized};
}

stored_bytes bytes_of_layer(const model_shape& m, const layer_shape& layer, const applied_formats& f) {
  const double quantized = f.weights.bytes_per_element, plain = plain_bytes(f);
  const auto others = number_format_named(m.other_weight_format);
  const double rest = !f.experts_only ? quantized : f.own && others ? others->bytes_per_element : plain;
  stored_bytes made{rest, rest, quantized, rest, plain};
  if (!f.own) return made;
  take(made.attention, layer.stored.attention);
  take(made.dense_feed_forward, layer.stored.dense_feed_forward);
  take(made.experts, layer.stored.experts);
  take(made.shared_experts, layer.stored.shared_experts);
  take(made.plain, layer.stored.plain);
  return made;
}

stored_ends bytes_of_ends(const model_shape& m, const applied_formats& f) {
  const double plain = plain_bytes(f);
  stored_ends made{plain, plain, plain};
  if (!f.own) return made;
  take(made.embedding, m.stored.embedding);
  take(made.head, m.stored.head);
  take(made.plain, m.stored.plain);
  return made;
}

mean_bytes mean_bytes_of(const model_shape& m, const applied_formats& f) {
  double dense = 0, experts = 0, of_dense = 0, of_experts = 0;
  for (std::size_t k = 0; k < m.kinds.size(); ++k) {
    const auto n = counts_of_kind(m, k);
    const auto e = bytes_of_layer(m, m.kinds[k], f);
    const auto layers = as_real(m.layers_of(k));
    dense += layers * as_real(n.attention + n.dense_feed_forward + n.shared_experts);
    experts += layers * as_real(n.experts);
    of_dense +=
        layers * (e.attention * as_real(n.attention) + e.dense_feed_forward * as_real(n.dense_feed_forward) +
                  e.shared_experts * as_real(n.shared_experts));
    of_experts += layers * e.experts * as_real(n.experts);
  }
  return {dense > 0 ? of_dense / dense : 0, experts > 0 ? of_experts / experts : 0};
}

}  // namespace ridge::plan
