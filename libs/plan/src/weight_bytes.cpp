// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/engine_budget.hpp>

#include "as_real.hpp"
#include "inference_parts.hpp"
#include "stored_weights.hpp"

namespace ridge::plan {
namespace {

double bytes_of_kind(const model_shape& m, std::size_t kind, const applied_formats& f) {
  const auto n = counts_of_kind(m, kind);
  const auto e = bytes_of_layer(m, m.kinds[kind], f);
  return as_real(m.layers_of(kind)) *
         (e.attention * as_real(n.attention) + e.dense_feed_forward * as_real(n.dense_feed_forward) +
          e.experts * as_real(n.experts) + e.shared_experts * as_real(n.shared_experts) +
          e.plain * as_real(n.norms + n.router));
}

double bytes_in(const model_shape& m, const applied_formats& f) {
  const auto n = count_parameters(m);
  const auto e = bytes_of_ends(m, f);
  double all = e.embedding * as_real(n.embedding) + e.head * as_real(n.head) +
               e.plain * as_real(m.final_norm_parameters + n.other);
  for (std::size_t k = 0; k < m.kinds.size(); ++k) all += bytes_of_kind(m, k, f);
  const double encoder = m.encoder.layers > 0 ? bytes_of_layer(m, m.encoder.layer, f).attention : 0;
  return all + encoder * as_real(n.encoder);
}

}  // namespace

double weight_bytes(const model_shape& m) { return bytes_in(m, own_formats(m)); }

result<double> weight_bytes(const model_shape& m, std::string_view format) {
  const auto known = number_format_named(format);
  if (!known) return known.why();
  if (known->name == m.weight_format) return weight_bytes(m);
  return bytes_in(m, {.weights = *known, .own = false});
}

}  // namespace ridge::plan
