// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include <ridge/plan/number_format.hpp>

namespace ridge::plan::kernels {

// Seconds of one kernel: its work at the reached rate of the units, its traffic at the reached bandwidth of
// memory or links, and the time of an empty kernel.
struct kernel_time {
  double compute_s = 0, memory_s = 0, floor_s = 0;
  // Time of the kernel, and whether traffic rather than work bounds it.
  [[nodiscard]] double seconds() const { return std::max(compute_s, memory_s) + floor_s; }
  [[nodiscard]] bool memory_bound() const { return memory_s >= compute_s; }
};

// A matrix product y[m][n] = x[m][k] · w[k][n]: w is stored as `weights`, x has the compute type of it, y has
// 16 bits.
struct product {
  std::int64_t m = 0, n = 0, k = 0;
  number_format weights{};
};

// The heads that one GPU computes.
struct head_shape {
  std::int64_t heads = 0, kv_heads = 0, head_dim = 0, value_head_dim = 0;
  double kv_element_bytes = 2;
};

// Attention of new prompt tokens to themselves and to cached tokens: `pairs` query-key pairs under the mask.
struct prefill_attention {
  head_shape shape{};
  std::int64_t sequences = 0, tokens = 0;
  double pairs = 0;
};

// Attention of decoding sequences, each of which reads its cached keys and values once; `context` is the sum
// of their lengths in tokens.
struct decode_attention {
  head_shape shape{};
  std::int64_t sequences = 0;
  double context = 0;
  double queries = 1;  // per sequence: more than one when drafted tokens are verified
};

// Latent attention (MLA) after its projections: the heads of one GPU over one compressed row per token.
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

// The routed experts of one layer on the slowest GPU: both products, activation and permutation.
struct expert_products {
  std::int64_t tokens = 0;  // of all GPUs among which the experts are divided
  std::int64_t hidden = 0, intermediate = 0, experts = 0, top_k = 0;
  int tensor = 1, expert = 1;  // GPUs that share one expert; groups that divide the experts
  bool gated = true;
  number_format weights{};
};

enum class collective : std::uint8_t { all_reduce, all_gather, reduce_scatter, all_to_all, point_to_point };

// A collective over `ranks` GPUs; `bytes` counts the buffer of one GPU (the whole result of all_gather, the
// input of reduce_scatter).
struct exchange {
  kernels::collective collective{kernels::collective::all_reduce};
  double bytes = 0;
  int ranks = 1;
};

// Times of the kernels of a serving step on one GPU. Thread-safe.
class kernel_times {
 public:
  virtual ~kernel_times() = default;
  // Time of one kernel of each class.
  [[nodiscard]] virtual kernel_time of(const product& p) const = 0;
  [[nodiscard]] virtual kernel_time of(const prefill_attention& a) const = 0;
  [[nodiscard]] virtual kernel_time of(const decode_attention& a) const = 0;
  [[nodiscard]] virtual kernel_time of(const latent_prefill& a) const = 0;
  [[nodiscard]] virtual kernel_time of(const latent_decode& a) const = 0;
  [[nodiscard]] virtual kernel_time of(const expert_products& e) const = 0;
  [[nodiscard]] virtual kernel_time of(const exchange& e) const = 0;
  // Norms, activations and rotary embeddings, by the bytes that they read and write.
  [[nodiscard]] virtual kernel_time elementwise(double bytes) const = 0;
  // The source of the times, for figures ("kernels by shipped curves of H100 SXM"), and the relative
  // half-width of the band around one time.
  [[nodiscard]] virtual std::string source() const = 0;
  [[nodiscard]] virtual double relative_band() const = 0;
};

// Work and minimum traffic of a kernel as the roofline model counts them.
struct demand {
  double flop = 0, bytes = 0;
};
// Demand of one kernel, in FLOP and bytes.
[[nodiscard]] demand demand_of(const product& p);
[[nodiscard]] demand demand_of(const prefill_attention& a);
[[nodiscard]] demand demand_of(const decode_attention& a);
[[nodiscard]] demand demand_of(const latent_prefill& a);  // expanded: keys and values of every head
[[nodiscard]] demand demand_of(const latent_decode& a);   // absorbed: all heads share the compressed row
[[nodiscard]] demand demand_of(const expert_products& e);
// Expected number of experts to which at least one of `tokens` tokens is routed, with `top_k` of `experts`
// per token; their popularity is log-uniform between 1 and `skew` (1: balanced).
[[nodiscard]] double distinct_experts(double tokens, std::int64_t experts, std::int64_t top_k, double skew);

}  // namespace ridge::plan::kernels
