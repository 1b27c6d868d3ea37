// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <optional>

#include "operators/op_families.hpp"

namespace ridge::trace {
namespace {

bool is_expert_product(std::string_view name) {
  const auto has = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
  if (!has("moe") && !has("fused_experts") && !has("grouped_experts")) return false;
  // Words of the operators around the products: routing, permutation, the weighted sum.
  constexpr std::array<std::string_view, 9> around{"sort",   "sum",     "topk",    "align", "router",
                                                   "gather", "scatter", "permute", "layer"};
  return std::ranges::none_of(around, has);
}

// The experts' weights: tensors [experts, x, y] after the tokens.
std::vector<std::size_t> weights_in(const op_inputs& inputs) {
  std::vector<std::size_t> found;
  for (std::size_t i = 1; i < inputs.size(); ++i) {
    if (inputs.has_tensor(i, 3) && inputs.dims_of(i).size() == 3) found.push_back(i);
  }
  return found;
}

// Columns of the routing weights: a later tensor [tokens, few].
std::int64_t top_k_of(const op_inputs& inputs, std::int64_t tokens, std::int64_t experts) {
  for (std::size_t i = 1; i < inputs.size(); ++i) {
    if (!inputs.has_tensor(i, 2) || inputs.dims_of(i).size() != 2) continue;
    const auto& d = inputs.dims_of(i);
    if (d[0] == tokens && d[1] <= std::min<std::int64_t>(experts, 32)) return d[1];
  }
  return 0;
}

// The multiply-adds of one expert for one token, and the width of its output.
struct expert {
  double products = 0;
  std::int64_t width = 0;
};

expert expert_of(moe_shape& s, const dims& first, const dims* second) {
  const auto input_last = first[2] == s.hidden;
  s.intermediate = input_last ? first[1] : first[2];
  expert e{static_cast<double>(first[1]) * static_cast<double>(first[2]), s.intermediate};
  s.projections = 1;
  if (second == nullptr) return e;
  const auto inner = (*second)[1] == s.hidden ? (*second)[2] : (*second)[1];
  s.gated = s.intermediate == 2 * inner;
  s.projections = s.gated ? 3 : 2;
  s.intermediate = inner;
  return {e.products + static_cast<double>((*second)[1]) * static_cast<double>((*second)[2]), s.hidden};
}

double weight_bytes(const op_inputs& inputs, std::size_t index, const moe_shape& s) {
  const auto type = bytes_of(inputs.at(index).type) > 0 ? inputs.at(index).type : inputs.at(0).type;
  return count_of(inputs.dims_of(index)) * bytes_of(type) * static_cast<double>(s.active_experts) /
         static_cast<double>(std::max<std::int64_t>(s.experts, 1));
}

}  // namespace

std::optional<op_model> moe_model(std::string_view name, const op_inputs& inputs) {
  const auto weights = weights_in(inputs);
  if (!is_expert_product(name) || !inputs.has_tensor(0, 2) || weights.empty()) return std::nullopt;
  const auto& tokens = inputs.dims_of(0);
  const auto& first = inputs.dims_of(weights[0]);
  moe_shape s{.tokens = tokens[0], .experts = first[0], .hidden = tokens.back()};
  if (first[1] != s.hidden && first[2] != s.hidden) return std::nullopt;
  s.top_k = top_k_of(inputs, s.tokens, s.experts);
  const auto routed = s.tokens * std::max<std::int64_t>(s.top_k, 1);
  s.active_experts = std::min(s.experts, routed);
  const auto e = expert_of(s, first, weights.size() > 1 ? &inputs.dims_of(weights[1]) : nullptr);
  const auto type = inputs.at(0).type;
  const auto written = static_cast<double>(weights.size() > 1 ? s.tokens : routed) *
                       static_cast<double>(e.width) * bytes_of(type);
  auto bytes = count_of(tokens) * bytes_of(type) + written;
  for (std::size_t i = 0; i < std::min<std::size_t>(weights.size(), 2); ++i)
    bytes += weight_bytes(inputs, weights[i], s);
  return op_model{.family = op_family::moe,
                  .flops = 2 * static_cast<double>(routed) * e.products,
                  .bytes = bytes,
                  .written = written,
                  .type = type,
                  .matrix = true,
                  .assumed = s.top_k == 0 ? "one expert a token" : "tokens spread over the experts",
                  .gemm = gemm_shape{.m = routed,
                                     .n = first[1] == s.hidden ? first[2] : first[1],
                                     .k = s.hidden,
                                     .groups = s.active_experts},
                  .moe = s};
}

}  // namespace ridge::trace
