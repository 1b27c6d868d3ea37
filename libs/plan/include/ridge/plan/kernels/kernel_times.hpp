// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include <ridge/plan/number_format.hpp>

namespace ridge::plan::kernels {

// Seconds of one kernel by what bounds it: its work at the rate the units reach, its traffic at the bandwidth
// memory or links reach, and what even an empty one costs.
struct kernel_time {
  double compute_s = 0, memory_s = 0, floor_s = 0;
  [[nodiscard]] double seconds() const { return std::max(compute_s, memory_s) + floor_s; }
  [[nodiscard]] bool memory_bound() const { return memory_s >= compute_s; }
};

// y[m][n] = x[m][k] · w[k][n]; w in `weights`, x in the type the product computes in, y 16 bit.
struct product {
  std::int64_t m = 0, n = 0, k = 0;
  number_format weights{};
};

// Heads that one GPU computes.
struct head_shape {
  std::int64_t heads = 0, kv_heads = 0, head_dim = 0, value_head_dim = 0;
  double kv_element_bytes = 2;
};

// New tokens of prompts against themselves and what is cached: `pairs` query-key pairs under the mask.
struct prefill_attention {
  head_shape shape{};
  std::int64_t sequences = 0, tokens = 0;
  double pairs = 0;
};

// Sequences that each read their cached keys and values once; `context` is the sum of their lengths.
struct decode_attention {
  head_shape shape{};
  std::int64_t sequences = 0;
  double context = 0;
  double queries = 1;  // a sequence: more than one when speculated tokens are verified
};

// Latent attention (MLA) after its projections: heads of one GPU over one compressed row a token.
struct latent_shape {
  std::int64_t heads = 0, kv_rank = 0, rope_dim = 0, nope_dim = 0, value_head_dim = 0;
  double kv_element_bytes = 2;
};
struct latent_prefill {
  latent_shape shape{};
  std::int64_t sequences = 0, tokens = 0;
  double pairs = 0;
};
struct latent_decode {
  latent_shape shape{};
  std::int64_t sequences = 0;
  double context = 0;
  double queries = 1;
};

// Routed experts of one layer on the slowest GPU: both products, activation, permutation.
struct expert_products {
  std::int64_t tokens = 0;  // of all GPUs among which the experts are spread
  std::int64_t hidden = 0, intermediate = 0, experts = 0, top_k = 0;
  int tensor = 1, expert = 1;  // GPUs that share one expert; groups among which experts are spread
  bool gated = true;
  number_format weights{};
};

enum class collective : std::uint8_t { all_reduce, all_gather, reduce_scatter, all_to_all, point_to_point };

// `bytes` of one GPU's buffer (of the whole result for all_gather, of the input for reduce_scatter).
struct exchange {
  collective what{collective::all_reduce};
  double bytes = 0;
  int ranks = 1;
};

// How long kernels of a serving step take on one GPU. Thread-safe.
class kernel_times {
 public:
  virtual ~kernel_times() = default;
  [[nodiscard]] virtual kernel_time of(const product& p) const = 0;
  [[nodiscard]] virtual kernel_time of(const prefill_attention& a) const = 0;
  [[nodiscard]] virtual kernel_time of(const decode_attention& a) const = 0;
  [[nodiscard]] virtual kernel_time of(const latent_prefill& a) const = 0;
  [[nodiscard]] virtual kernel_time of(const latent_decode& a) const = 0;
  [[nodiscard]] virtual kernel_time of(const expert_products& e) const = 0;
  [[nodiscard]] virtual kernel_time of(const exchange& e) const = 0;
  // Norms, activations, rotary embeddings: bytes read and written.
  [[nodiscard]] virtual kernel_time elementwise(double bytes) const = 0;
  // Where they come from, for figures: "H100 SXM: efficiencies fitted 2026-11-22"; and half the band of one
  // kernel's time as a share of it.
  [[nodiscard]] virtual std::string source() const = 0;
  [[nodiscard]] virtual double relative_band() const = 0;
};

// Work and least traffic of each, as the roofline counts them: the speed of light.
struct demand {
  double flop = 0, bytes = 0;
};
[[nodiscard]] demand demand_of(const product& p);
[[nodiscard]] demand demand_of(const prefill_attention& a);
[[nodiscard]] demand demand_of(const decode_attention& a);
[[nodiscard]] demand demand_of(const latent_prefill& a);  // expanded: keys and values of every head
[[nodiscard]] demand demand_of(const latent_decode& a);   // absorbed: all heads share the compressed row
[[nodiscard]] demand demand_of(const expert_products& e);
// Experts that at least one of `tokens` tokens is routed to, of `experts` with `top_k` a token; popularity is
// log-uniform between 1 and `skew` (1: balanced).
[[nodiscard]] double distinct_experts(double tokens, std::int64_t experts, std::int64_t top_k, double skew);

}  // namespace ridge::plan::kernels
