// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <ridge/plan/kernels/kernel_times.hpp>

#include "as_real.hpp"

namespace ridge::plan::kernels {
namespace {

// Bytes per element of the activations in a product with such weights.
double activation_bytes(const number_format& weights) {
  if (weights.compute_type == "fp8" || weights.compute_type == "int8") return 1;
  return weights.compute_type == "fp4" ? 0.5 : 2;
}

// Ratio of the most to the least popular expert, chosen so that the number of experts in use agrees with the
// times of aiconfigurator's tables under power-law routing (plan_fit_efficiency).
constexpr double expert_skew = 20;

}  // namespace

demand demand_of(const product& p) {
  const double m = as_real(p.m), n = as_real(p.n), k = as_real(p.k);
  return {2 * m * n * k,
          m * k * activation_bytes(p.weights) + n * k * p.weights.bytes_per_element + 2 * m * n};
}

demand demand_of(const prefill_attention& a) {
  const double width = as_real(a.shape.head_dim + a.shape.value_head_dim), tokens = as_real(a.tokens);
  // Queries and outputs are moved once, keys and values of the visible context once per sequence. That
  // context follows from `pairs`: twice the mean per query, minus the chunk itself when nothing is cached.
  const double seen = tokens == 0 ? 0 : std::max(tokens, a.pairs / tokens * as_real(a.sequences));
  return {2 * as_real(a.shape.heads) * width * a.pairs,
          2 * tokens * as_real(a.shape.heads) * width +
              seen * as_real(a.shape.kv_heads) * width * a.shape.kv_element_bytes};
}

demand demand_of(const decode_attention& a) {
  const double width = as_real(a.shape.head_dim + a.shape.value_head_dim);
  return {2 * as_real(a.shape.heads) * width * a.context * a.queries,
          a.context * as_real(a.shape.kv_heads) * width * a.shape.kv_element_bytes +
              2 * as_real(a.sequences) * a.queries * as_real(a.shape.heads) * width};
}

demand demand_of(const latent_prefill& a) {
  const double key = as_real(a.shape.nope_dim + a.shape.rope_dim), value = as_real(a.shape.value_head_dim);
  const double tokens = as_real(a.tokens), seen = tokens == 0 ? 0 : std::max(tokens, a.pairs / tokens);
  return {2 * as_real(a.shape.heads) * (key + value) * a.pairs,
          2 * as_real(a.shape.heads) * (key + value) * (tokens + seen)};
}

demand demand_of(const latent_decode& a) {
  const double row = as_real(a.shape.kv_rank + a.shape.rope_dim), value = as_real(a.shape.kv_rank);
  return {2 * as_real(a.shape.heads) * (row + value) * a.context * a.queries,
          a.context * row * a.shape.kv_element_bytes +
              2 * as_real(a.sequences) * a.queries * as_real(a.shape.heads) * (row + value)};
}

double distinct_experts(double tokens, std::int64_t experts, std::int64_t top_k, double skew) {
  if (tokens <= 0 || experts <= 0) return 0;
  constexpr int quantiles = 16;
  const double share = as_real(top_k) / as_real(experts), ratio = std::log(std::max(skew, 1.0));
  // Mean of e^(r u) over u in [0, 1], so that the shares add up to one.
  const double mean = ratio > 0 ? std::expm1(ratio) / ratio : 1;
  double touched = 0;
  for (int q = 0; q < quantiles; ++q) {
    const double popularity = std::exp(ratio * (q + 0.5) / quantiles) / mean;
    touched += 1 - std::pow(1 - std::min(share * popularity, 1.0), tokens);
  }
  return touched * as_real(experts) / quantiles;
}

demand demand_of(const expert_products& e) {
  const double matrices = e.gated ? 3 : 2, groups = std::max(e.expert, 1);
  const double per_expert = matrices * as_real(e.hidden) * as_real(e.intermediate) / std::max(e.tensor, 1);
  const double rows = as_real(e.tokens) * as_real(e.top_k) / groups;
  const double touched = distinct_experts(as_real(e.tokens), e.experts, e.top_k, expert_skew) / groups;
  const double inner = (matrices - 1) * as_real(e.intermediate) / std::max(e.tensor, 1);
  return {2 * rows * per_expert,
          touched * per_expert * e.weights.bytes_per_element +
              rows * (as_real(e.hidden) * (activation_bytes(e.weights) + 2) + 2 * 2 * inner)};
}

}  // namespace ridge::plan::kernels
