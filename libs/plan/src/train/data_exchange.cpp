// SPDX-License-Identifier: Apache-2.0
#include "data_exchange.hpp"

#include <algorithm>

#include "layer_work.hpp"

namespace ridge::plan::train {
namespace {

constexpr double gradient_bytes = 2;
// Bytes per weight moved by mixed-precision Adam, all in 32 bits except the last: unscaling reads and writes
// the gradient, the norm reads it, clipping reads and writes it, the update reads it and reads and writes
// master weight and two moments, the new weight is copied to 16 bits, the gradient is cleared.
constexpr double adam_bytes = 8 + 4 + 8 + (4 + 24) + (4 + 2) + 4;

// Ranks that hold the same weights: their number and their distance.
struct replicas {
  std::int64_t ranks = 1, stride = 1;
};

// The opposite stage of a DualPipe has them, too.
replicas of_dense(const training_plan& p) {
  return {std::int64_t{p.layout.context} * p.layout.data * p.copies(), p.layout.tensor};
}

replicas of_experts(const training_plan& p) {
  const auto& l = p.layout;
  const std::int64_t stride = std::int64_t{l.expert} * l.expert_tensor;
  return {std::max<std::int64_t>(1, std::int64_t{l.tensor} * l.context * l.data / stride) * p.copies(),
          stride};
}

// Seconds of one exchange of all gradients, and of all weights.
struct exchange {
  double reduce_s = 0, gather_s = 0;
};

exchange among(const layer_clock& c, const gather_table& gathers, const training_plan& plan, double weights,
               const replicas& r) {
  if (r.ranks <= 1 || weights <= 0) return {};
  const double gradients = weights * gradient_bytes;
  if (plan.shard == sharding::none) return {.reduce_s = all_reduce_s(c.links, gradients, r.ranks, r.stride)};
  return {gathers.seconds(c.links, gradients, r.ranks, r.stride),
          gathers.seconds(c.links, weights * c.rates.gathered_bytes, r.ranks, r.stride)};
}

double beyond(double exchange_s, double hidden_s, double least_s) {
  return std::max(exchange_s - hidden_s, least_s);
}

// Once per step: gradients overlap the last backward passes, weights the first forward passes, bucket by
// bucket; nothing overlaps the last bucket. Interleaved stages finish their chunks one by one, so a whole
// round of micro-batches can overlap the exchange.
double once_a_step_s(const exchange& e, double overlap, const training_plan& plan, const hiding_passes& p) {
  const bool interleaved = plan.layout.virtual_pipeline > 1;
  const double round = interleaved ? std::min<double>(plan.layout.pipeline, p.micro_batches) : 1;
  const double bucket = 1 / std::max(1.0, p.layers);
  const double reduce =
      e.reduce_s * (1 - overlap) + overlap * beyond(e.reduce_s, round * p.backward_s, bucket * e.reduce_s);
  const double gather =
      e.gather_s * (1 - overlap) + overlap * beyond(e.gather_s, round * p.forward_s, bucket * e.gather_s);
  return reduce + gather;
}

// ZeRO-2 reduces gradients in each micro-batch; ZeRO-3 also gathers weights for both passes.
double each_micro_batch_s(const exchange& e, double overlap, const training_plan& plan,
                          const hiding_passes& p) {
  const bool weights = plan.shard == sharding::weights;
  const double bucket = 1 / std::max(1.0, p.layers);
  const double forward = weights ? e.gather_s : 0;
  const double backward = e.reduce_s + (weights ? e.gather_s : 0);
  const double exposed = beyond(forward, overlap * p.forward_s, bucket * forward) +
                         beyond(backward, overlap * p.backward_s, bucket * backward);
  return p.micro_batches * exposed + (weights ? 0 : beyond(e.gather_s, overlap * p.forward_s, 0));
}

}  // namespace

model_weights weights_of(const model_shape& m) {
  const auto hidden = static_cast<double>(m.hidden);
  model_weights w{.embedding = hidden * static_cast<double>(m.vocabulary)};
  for (const auto kind : m.order) {
    const auto& layer = m.kinds[kind];
    const auto& f = layer.feed_forward;
    w.layer += mixer_products(layer.attention, hidden).weights() + dense_products(f, hidden).weights();
    w.layer_experts += static_cast<double>(f.experts) * expert_weights(f, hidden);
  }
  const auto layers = static_cast<double>(std::max<std::size_t>(1, m.order.size()));
  w.layer /= layers;
  w.layer_experts /= layers;
  return w;
}

held_weights held_by(const model_weights& w, const training_plan& plan, double layers, double embeddings) {
  const auto& l = plan.layout;
  return {.dense = (w.layer * layers + w.embedding * embeddings) / l.tensor,
          .experts = w.layer_experts * layers / (l.expert * l.expert_tensor)};
}

double data_exposed_s(const layer_clock& clock, const gather_table& gathers, const training_plan& plan,
                      const held_weights& held, const hiding_passes& passes) {
  const auto dense = among(clock, gathers, plan, held.dense, of_dense(plan));
  const auto experts = among(clock, gathers, plan, held.experts, of_experts(plan));
  const exchange both{dense.reduce_s + experts.reduce_s, dense.gather_s + experts.gather_s};
  const double overlap = plan.overlap_data_parallel ? clock.measured.data_overlap : 0;
  const bool often = plan.shard == sharding::gradients || plan.shard == sharding::weights;
  return often ? each_micro_batch_s(both, overlap, plan, passes) : once_a_step_s(both, overlap, plan, passes);
}

double optimizer_s(const kernel_rates& rates, const training_plan& plan, const held_weights& held) {
  const bool split = plan.shard != sharding::none;
  const auto share = [&](const replicas& r) { return split ? static_cast<double>(r.ranks) : 1.0; };
  const double updated = held.dense / share(of_dense(plan)) + held.experts / share(of_experts(plan));
  return rates.streamed_s(updated * adam_bytes);
}

}  // namespace ridge::plan::train
