// SPDX-License-Identifier: Apache-2.0
#include <ridge/base/expects.hpp>
#include <ridge/plan/engine_budget.hpp>

namespace ridge::plan {
namespace {

double as(std::int64_t elements, double bytes) { return static_cast<double>(elements) * bytes; }

// Embeddings, head, norms and router are not quantized; in some models only the experts are.
double bytes_in(const model_shape& m, const number_format& format, const number_format& others) {
  const auto n = count_parameters(m);
  const double plain = format.element_bytes >= 2 ? format.bytes_per_element : 2;
  return as(n.experts, format.bytes_per_element) +
         as(n.attention + n.dense_feed_forward + n.shared_experts, others.bytes_per_element) +
         as(n.embedding + n.head + n.norms + n.router, plain);
}

}  // namespace

double weight_bytes(const model_shape& m) {
  const auto format = number_format_named(m.weight_format),
             others = number_format_named(m.other_weight_format);
  expects(format.ok() && others.ok(), "weight_bytes: a model of no known format");
  return bytes_in(m, *format, m.experts_only_quantized ? *others : *format);
}

result<double> weight_bytes(const model_shape& m, std::string_view format) {
  const auto known = number_format_named(format);
  if (!known) return known.why();
  if (known->name == m.weight_format) return weight_bytes(m);
  return bytes_in(m, *known, *known);
}

}  // namespace ridge::plan
