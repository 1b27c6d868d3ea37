// SPDX-License-Identifier: Apache-2.0
#include <ridge/base/expects.hpp>
#include <ridge/plan/engine_budget.hpp>

namespace ridge::plan {
namespace {

double as(std::int64_t elements, double bytes) { return static_cast<double>(elements) * bytes; }

double bytes_in(const model_shape& m, const number_format& format, bool experts_only) {
  const auto n = count_parameters(m);
  const double plain = format.element_bytes >= 2 ? format.bytes_per_element : 2;
  const double dense = experts_only ? plain : format.bytes_per_element;
  return as(n.experts, format.bytes_per_element) +
         as(n.attention + n.dense_feed_forward + n.shared_experts, dense) +
         as(n.embedding + n.head + n.norms + n.router, plain);
}

}  // namespace

double weight_bytes(const model_shape& m) {
  const auto format = number_format_named(m.weight_format);
  expects(format.ok(), "weight_bytes: a model of no known format");
  return bytes_in(m, *format, m.experts_only_quantized);
}

result<double> weight_bytes(const model_shape& m, std::string_view format) {
  const auto known = number_format_named(format);
  if (!known) return known.why();
  return bytes_in(m, *known, m.experts_only_quantized && known->name == m.weight_format);
}

}  // namespace ridge::plan
