// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "as_real.hpp"
#include "inference_parts.hpp"

namespace ridge::plan {
namespace {

constexpr double half = 2;  // bytes per element of an activation

// Elements of queries, keys, values and output per token.
double attention_elements(const layer_shape& l, double ranks) {
  const auto& a = l.attention;
  switch (a.kind) {
    case attention_kind::none:
    case attention_kind::linear:
      return 0;
    case attention_kind::latent:
      return as_real(a.heads) * as_real(2 * (a.nope_dim + a.rope_dim) + 2 * a.value_head_dim) / ranks +
             as_real(a.query_rank + a.kv_rank + a.rope_dim);
    case attention_kind::full:
    case attention_kind::sliding:
    case attention_kind::chunked:
      break;
  }
  const double heads = std::max(as_real(a.kv_heads) / ranks, 1.0);
  return as_real(a.heads) * as_real(a.head_dim + a.value_head_dim) / ranks +
         heads * as_real(a.head_dim + a.value_head_dim);
}

double mixer_elements(const inference_setup& s, const layer_shape& l, double ranks) {
  if (l.attention.kind != attention_kind::linear) return attention_elements(l, ranks);
  return as_real(l.attention.mixer_parameters) / as_real(s.model.hidden) / ranks;
}

double dense_elements(const feed_forward_shape& f, double ranks) {
  const double width = as_real(std::max(f.intermediate, f.shared_experts * f.shared_intermediate));
  return (f.gated ? 3 : 2) * width / ranks;
}

// vLLM's fused experts: the outputs of the first and of the second product share a buffer, that of the
// activation function has its own (fused_moe.py). With expert ranks, a rank may receive all copies of its own
// tokens.
double routed_elements(const inference_setup& s, const feed_forward_shape& f, double expert_ranks) {
  if (f.experts == 0) return 0;
  const double divided = s.layout.expert > 1 ? as_real(s.layout.expert_tensor) : expert_ranks;
  const double inner = as_real(f.expert_intermediate) / divided;
  const double width = as_real(f.expert_hidden > 0 ? f.expert_hidden : s.model.hidden);
  return as_real(f.active_experts) * (std::max((f.gated ? 2 : 1) * inner, width) + inner);
}

}  // namespace

double widest_bytes(const inference_setup& s, const layer_shape& layer, const layer_ranks& ranks) {
  const double widest = std::max({mixer_elements(s, layer, ranks.attention),
                                  dense_elements(layer.feed_forward, ranks.feed_forward),
                                  routed_elements(s, layer.feed_forward, ranks.experts)});
  return half * as_real(s.max_batched_tokens) * (2 * as_real(s.model.hidden) + widest);
}

double sampler_peak_bytes(const inference_setup& s) {
  const double rows = as_real(std::min(s.max_sequences, s.max_batched_tokens));
  return rows * as_real(s.model.vocabulary) * s.sampler_bytes_per_logit +
         half * as_real(s.max_batched_tokens * s.model.hidden);
}

}  // namespace ridge::plan
