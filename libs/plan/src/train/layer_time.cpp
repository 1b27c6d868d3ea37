// SPDX-License-Identifier: Apache-2.0
#include "layer_time.hpp"

#include <algorithm>

#include "as_real.hpp"
#include "layer_work.hpp"

namespace ridge::plan::train {
namespace {

struct passes {
  double forward = 0, backward = 0;
  [[nodiscard]] double both() const { return forward + backward; }
};

double tokens_of(const training_job& job, int micro_batch, int context) {
  return as_real(job.sequence) * micro_batch / context;
}

double split_columns(const weight_product& p, double ranks) {
  return (p.columns - p.replicated_columns) / ranks + p.replicated_columns / std::min(ranks, p.most_ranks);
}

// Forward seconds; the two products of the backward pass have the same three sides.
double products_s(const kernel_rates& r, const product_list& list, double tokens, const layer_division& d) {
  double sum = 0;
  for (const auto& p : list.all()) {
    const double rows = p.split == matrix_split::none && d.sequence_parallel ? tokens / d.tensor : tokens;
    const double columns = p.split == matrix_split::columns ? split_columns(p, d.tensor) : p.columns;
    const double inner = p.split == matrix_split::rows ? p.inner / d.tensor : p.inner;
    sum += r.product_s(r.layers, rows, columns, inner);
  }
  return sum;
}

// The fused kernel recomputes the scores in its backward pass: five products instead of two.
passes fused_core(const layer_clock& c, const attention_shape& a, double tokens, int tensor) {
  const double keys = mean_keys(a, as_real(c.job.sequence));
  const double flop =
      tokens / tensor *
      (core_flop(a) * keys + indexer_flop(a) * as_real(c.job.sequence) / 2 + recurrence_flop(a));
  const double forward = flop / c.rates.attention_flop_per_s;
  return {forward, 2.5 * forward};
}

// Without fused kernels all scores are computed, masked ones included, as batched products per head with few
// FLOP per byte.
passes plain_core(const layer_clock& c, const attention_shape& a, double tokens, int tensor) {
  const double s = as_real(c.job.sequence);
  const double heads = as_real(a.heads) / tensor;
  const double flop = tokens * s * heads * 2 * as_real(a.head_dim + value_dim(a));
  const double scores = tokens * s * heads * 2 * element_bytes;
  const double rows = tokens * heads * 2 * as_real(a.head_dim + value_dim(a)) * element_bytes;
  const double one = flop / c.rates.bf16.flop_per_s + c.rates.streamed_s(scores + rows);
  return {one, 2 * one};
}

// Bytes per score moved by softmax (2 read, 2 written; backward 4 and 2) and dropout with its mask (2, 3; 3,
// 2).
passes plain_scores(const layer_clock& c, const attention_shape& a, double tokens, int tensor) {
  const double scores = tokens * as_real(c.job.sequence) * as_real(a.heads) / tensor;
  const double dropout = c.job.dropout ? 5 : 0;
  return {c.rates.streamed_s(scores * (4 + dropout)), c.rates.streamed_s(scores * (6 + dropout))};
}

struct core_passes {
  passes compute{}, memory_bound{};
};

core_passes core_of(const layer_clock& c, const attention_shape& a, double tokens, int tensor) {
  const bool heads = a.heads > 0 && a.kind != attention_kind::none && a.kind != attention_kind::linear;
  if (c.job.fused_attention || !heads) return {.compute = fused_core(c, a, tokens, tensor)};
  return {plain_core(c, a, tokens, tensor), plain_scores(c, a, tokens, tensor)};
}

// Bytes per token moved by two norms (2 read, 2 written; backward 4 and 2), two residual sums (4 and 2) and
// dropout with its mask, all `hidden` wide; tensor ranks divide them only with sequence parallelism.
passes around_blocks(const layer_clock& c, double tokens, const layer_division& d) {
  const double rows = d.sequence_parallel ? tokens / d.tensor : tokens;
  const double elements = rows * as_real(c.job.model.hidden);
  const double dropout = c.job.dropout ? 1 : 0;
  return {c.rates.streamed_s(elements * (20 + 2 * dropout)),
          c.rates.streamed_s(elements * (24 + 10 * dropout))};
}

// Bytes per token moved by the activation function, `intermediate` wide, and by rotary positions.
passes within_blocks(const layer_clock& c, const layer_shape& layer, double tokens, int tensor) {
  const auto& f = layer.feed_forward;
  const auto& a = layer.attention;
  const double wide = as_real(f.intermediate + f.shared_experts * f.shared_intermediate) * tokens / tensor;
  const double rotary = c.job.model.position_embeddings > 0
                            ? 0
                            : 4 * as_real(a.heads + a.kv_heads) * as_real(a.head_dim) * tokens / tensor;
  return {c.rates.streamed_s(wide * (f.gated ? 6 : 4) + rotary),
          c.rates.streamed_s(wide * (f.gated ? 10 : 6) + rotary)};
}

// Weight gradients of every micro-batch are added to sums in 32 bits: 4 bytes read and 4 written per weight
// (Megatron's gradient accumulation fusion).
double accumulated_s(const kernel_rates& r, double weights) { return r.streamed_s(8 * weights); }

// The exchange of one block among tensor ranks: an all-reduce in each direction, or gather and reduce-scatter
// of the sequence; the backward pass then gathers the input of the block once more for the weight gradients
// (Korthikanti et al., 2022, section 4.2.2).
passes block_exchange(const layer_clock& c, double tokens, const layer_division& d) {
  if (d.tensor == 1) return {};
  const double elements = tokens * as_real(c.job.model.hidden);
  if (!d.sequence_parallel) {
    const double all = all_reduce_s(c.links, elements * element_bytes, d.tensor);
    return {all, all};
  }
  const double gather = all_gather_s(c.links, elements * c.rates.gathered_bytes, d.tensor);
  const double scatter = reduce_scatter_s(c.links, elements * element_bytes, d.tensor);
  return {gather + scatter, 2 * gather + scatter};
}

passes exposed(const passes& exchange, const training_coefficients& measured) {
  return {exchange.forward * (1 - measured.tensor_overlap),
          exchange.backward * (1 - measured.tensor_backward_overlap)};
}

double blocks_with_exchange(const layer_shape& layer) {
  const auto& f = layer.feed_forward;
  const bool mixes = layer.attention.kind != attention_kind::none;
  return (mixes ? 1 : 0) + (f.intermediate > 0 || f.shared_experts > 0 ? 1 : 0);
}

// Ring attention: keys and values go around once in the forward pass and, with their gradients, twice in the
// backward pass, overlapped with the attention of the previous part.
double ring_exposed_s(const layer_clock& c, const attention_shape& a, double tokens, const layer_division& d,
                      const passes& core) {
  if (d.context == 1 || mean_keys(a, as_real(c.job.sequence)) <= 0) return 0;
  const double bytes = tokens * passed_elements(a, d.tensor) * element_bytes;
  const double around = (d.context - 1) * point_to_point_s(c.links, bytes, d.tensor);
  const double hides = c.measured.context_overlap;
  return std::max(0.0, around - hides * core.forward) + std::max(0.0, 2 * around - hides * core.backward);
}

}  // namespace

layer_seconds layer_clock::dense(const layer_shape& layer, const layer_division& d) const {
  const double tokens = tokens_of(job, d.micro_batch, d.context);
  const double hidden = as_real(job.model.hidden);
  const auto mixer = mixer_products(layer.attention, hidden);
  const auto feed_forward = dense_products(layer.feed_forward, hidden);
  const double product = products_s(rates, mixer, tokens, d) + products_s(rates, feed_forward, tokens, d);
  const double accumulated = accumulated_s(rates, (mixer.weights() + feed_forward.weights()) / d.tensor);
  const auto core = core_of(*this, layer.attention, tokens, d.tensor);
  const auto around = around_blocks(*this, tokens, d);
  const auto within = within_blocks(*this, layer, tokens, d.tensor);
  const double blocks = blocks_with_exchange(layer);
  const auto exchange = exposed(block_exchange(*this, tokens, d), measured);
  layer_seconds s;
  s.product = 3 * product;
  s.attention = core.compute.both();
  s.memory_bound = core.memory_bound.both() + around.both() + within.both() + accumulated;
  s.tensor = blocks * exchange.both();
  s.context = ring_exposed_s(*this, layer.attention, tokens, d, core.compute);
  s.core_again = core.compute.forward + core.memory_bound.forward;
  s.forward_again = product + s.core_again + around.forward + within.forward;
  s.tensor_again = blocks * exchange.forward;
  return s;
}

layer_seconds layer_clock::head(const layer_division& d) const {
  const double tokens = tokens_of(job, d.micro_batch, d.context);
  const double hidden = as_real(job.model.hidden);
  const double columns = as_real(job.model.vocabulary) / d.tensor;
  layer_seconds s;
  s.product = 3 * rates.product_s(rates.bf16, tokens, columns, hidden);
  // Logits are written in 16 bits, then read, widened, exponentiated and summed in 32; the backward pass
  // writes 16 bits.
  constexpr double loss_bytes = 18;
  s.memory_bound = rates.streamed_s(tokens * columns * loss_bytes) + accumulated_s(rates, columns * hidden);
  s.tensor = block_exchange(*this, tokens, d).forward;
  return s;
}

layer_seconds layer_clock::embedding(const layer_division& d) const {
  const double tokens = tokens_of(job, d.micro_batch, d.context);
  layer_seconds s;
  s.memory_bound = rates.streamed_s(tokens * as_real(job.model.hidden) * 3 * 2 * element_bytes);
  s.tensor = block_exchange(*this, tokens, d).forward / 2;
  return s;
}

}  // namespace ridge::plan::train
