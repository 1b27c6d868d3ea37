// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/train/step_time.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "step_tables.hpp"

namespace ridge::plan::train {
namespace {

layer_division division_of(const training_plan& p) {
  return {p.layout.tensor, p.layout.context, p.micro_batch, p.sequence_parallel};
}

expert_division experts_of(const training_plan& p) {
  const auto& l = p.layout;
  return {l.tensor, l.context,       p.micro_batch,
          l.expert, l.expert_tensor, p.schedule == pipeline_schedule::dual_pipe};
}

// Seconds of one micro-batch on the parts of a model, with recomputation.
struct part_seconds {
  double product = 0, attention = 0, memory_bound = 0, again = 0, tensor = 0, context = 0, expert = 0;
  [[nodiscard]] double total() const {
    return product + attention + memory_bound + again + tensor + context + expert;
  }
};

part_seconds part_of(const layer_seconds& s) {
  return {.product = s.product,
          .attention = s.attention,
          .memory_bound = s.memory_bound,
          .tensor = s.tensor,
          .context = s.context};
}

part_seconds layer_of(const layer_seconds& s, const expert_seconds& e, recomputation r) {
  auto part = part_of(s);
  part.product += e.product;
  part.memory_bound += e.memory_bound;
  part.expert = e.exchange;
  if (r == recomputation::selective) part.again = s.core_again;
  if (r != recomputation::full) return part;
  part.again = s.forward_again + e.forward_again;
  part.tensor += s.tensor_again;
  part.expert += e.exchange_again;
  return part;
}

part_seconds weighted(const part_seconds& a, double n, const part_seconds& b, double more) {
  return {a.product * n + b.product * more,
          a.attention * n + b.attention * more,
          a.memory_bound * n + b.memory_bound * more,
          a.again * n + b.again * more,
          a.tensor * n + b.tensor * more,
          a.context * n + b.context * more,
          a.expert * n + b.expert * more};
}

// The stages of one plan.
struct stages {
  part_seconds first{}, middle{}, last{};
  stage_split layers{};
  stage_loads loads{};
  bool last_is_slowest = true, first_is_slowest = false;

  [[nodiscard]] const part_seconds& slowest() const {
    return last_is_slowest ? last : first_is_slowest ? first : middle;
  }
  [[nodiscard]] double layers_of_slowest() const {
    return last_is_slowest ? layers.last : first_is_slowest ? layers.first : layers.middle;
  }
};

// A rank of a DualPipe has a stage and its opposite, each for half of the micro-batches.
void pair_up(stages& s) {
  s.first = s.last = weighted(s.first, 0.5, s.last, 0.5);
  s.layers = {s.layers.first + s.layers.last, 2 * s.layers.middle, s.layers.first + s.layers.last};
}

stages stages_of(const model_shape& m, const training_plan& plan, const part_seconds& layer,
                 const model_seconds& seconds) {
  stages s{.layers = split_layers(m.layers(), plan.layout)};
  const auto head = part_of(seconds.head), embedding = part_of(seconds.embedding);
  const int p = plan.layout.pipeline;
  s.first = weighted(layer, s.layers.first, embedding, 1);
  s.middle = weighted(layer, s.layers.middle, {}, 0);
  s.last = weighted(layer, s.layers.last, head, 1);
  if (p == 1) s.last = weighted(s.last, 1, embedding, 1);
  if (plan.schedule == pipeline_schedule::dual_pipe) pair_up(s);
  s.loads = {s.first.total(), s.middle.total(), s.last.total(), p, plan.layout.virtual_pipeline};
  const double slowest = s.loads.slowest_s();
  s.last_is_slowest = s.loads.last_s >= slowest;
  s.first_is_slowest = !s.last_is_slowest && s.loads.first_s >= slowest;
  return s;
}

// Seconds of one transfer between stages; each tensor rank sends a part (Narayanan et al., 2021,
// section 4.1).
double hand_over_s(const step_clock& c, const training_plan& plan) {
  const auto& l = plan.layout;
  if (l.pipeline == 1) return 0;
  const double tokens = static_cast<double>(c.job.sequence) * plan.micro_batch / l.context;
  const double bytes = tokens * static_cast<double>(c.job.model.hidden) * element_bytes / l.tensor;
  return point_to_point_s(c.links, bytes, std::int64_t{l.tensor} * l.context * l.data);
}

// What DualPipe changes: pairs of passes compute beside the exchange of tokens and hand-overs, on the
// multiprocessors that these leave (docs/design/plan/parallelism.md).
void add_dual_pipe(step_time& t, const step_clock& clock, double multiprocessors, const training_plan& plan,
                   const part_seconds& s, double forward, double m) {
  const double hand_over = hand_over_s(clock, plan);
  const double exchanged = s.expert > 0 ? s.expert + 2 * hand_over : 0;
  const double all = multiprocessors > 0 ? multiprocessors : usual_multiprocessors;
  const double slower = exchanged > 0 ? all / (all - exchanging_multiprocessors) - 1 : 0;
  const double beside = s.total() - s.expert + slower * (s.product + s.attention + s.again);
  const int p = plan.layout.pipeline;
  const double pairs = dual_pipe_pairs(p, m);
  t.product_s += pairs * slower * s.product;
  t.attention_s += pairs * slower * s.attention;
  t.recomputation_s += pairs * slower * s.again;
  t.expert_exposed_s = (m - pairs) * s.expert + pairs * std::max(0.0, exchanged - beside);
  t.pipeline_exposed_s = 0;
  const dual_pipe_passes passes{.forward_s = forward + s.expert / 2,
                                .backward_s = s.total() - forward - s.expert / 2,
                                .weights_s = s.product / 3,
                                .paired_s = std::max(beside, exchanged)};
  t.bubble_s = dual_pipe_bubble_s(passes, p) + 2 * (p - 1) * hand_over;
}

void add_passes(step_time& t, const part_seconds& s, double m) {
  t.product_s = m * s.product;
  t.attention_s = m * s.attention;
  t.memory_bound_s = m * s.memory_bound;
  t.recomputation_s = m * s.again;
  t.tensor_exposed_s = m * s.tensor;
  t.context_exposed_s = m * s.context;
  t.expert_exposed_s = m * s.expert;
}

double sum_of(const step_time& t) {
  return t.product_s + t.attention_s + t.memory_bound_s + t.recomputation_s + t.tensor_exposed_s +
         t.context_exposed_s + t.expert_exposed_s + t.pipeline_exposed_s + t.bubble_s + t.data_exposed_s +
         t.optimizer_s + t.fixed_s;
}

// The largest of N normal deviates lies about sigma · sqrt(2 ln N) above their mean.
double straggling(double sigma, double gpus) {
  return sigma > 0 && gpus > 1 ? sigma * std::sqrt(2 * std::log(gpus)) : 0;
}

}  // namespace

step_model::step_model(const training_job& job, const accelerator& gpu, const interconnect& links,
                       const training_coefficients& by_measurement)
    : tables_(std::make_unique<const tables>(job, gpu, links, by_measurement)) {}
step_model::step_model(step_model&&) noexcept = default;
step_model& step_model::operator=(step_model&&) noexcept = default;
step_model::~step_model() = default;

step_time step_model::time(const training_plan& plan) const {
  const auto& of = *tables_;
  const auto clock = of.clock.layers();
  const auto seconds = of.layers.at(clock, division_of(plan));
  const auto experts = of.experts.at(clock, experts_of(plan));
  const auto layer = layer_of(seconds.layer, experts, plan.recompute);
  const auto s = stages_of(of.clock.job.model, plan, layer, seconds);
  const double m = micro_batches(of.clock.job.global_batch, plan.layout.data, plan.micro_batch);

  step_time t;
  add_passes(t, s.slowest(), m);
  const double hand_over = hand_over_s(of.clock, plan);
  t.pipeline_exposed_s =
      2 * m * plan.layout.virtual_pipeline * hand_over * (1 - of.clock.measured.pipeline_overlap);
  t.bubble_s = s.loads.bubble_s() + 2 * (plan.layout.pipeline - 1) * hand_over;

  const double n = s.layers_of_slowest();
  const double forward = n * (seconds.layer.forward_again + experts.forward_again);
  if (plan.schedule == pipeline_schedule::dual_pipe)
    add_dual_pipe(t, of.clock, of.gpu.multiprocessors, plan, s.slowest(), forward / plan.copies(), m);
  const double embeddings =
      plan.layout.pipeline > 1 || of.clock.job.model.tied_embeddings ? plan.copies() : 2;
  const auto held = held_by(of.weights, plan, n, embeddings);
  t.data_exposed_s =
      data_exposed_s(clock, of.gathers, plan, held,
                     {.forward_s = forward,
                      .backward_s = std::max(0.0, s.slowest().total() * plan.copies() - forward),
                      .micro_batches = m,
                      .layers = n});
  t.optimizer_s = optimizer_s(of.clock.rates, plan, held);
  t.fixed_s = of.clock.measured.fixed_s;

  const auto gpus = static_cast<double>(plan.layout.gpus());
  const double busy = sum_of(t);
  t.straggler_s = busy * straggling(of.clock.measured.straggler_sigma, gpus);
  t.total_s = busy + t.straggler_s;
  t.tokens_per_s = of.tokens / t.total_s;
  const double spent = gpus * of.peak_flop_per_s * t.total_s;
  t.mfu = of.model_flop / spent;
  t.hfu = of.hardware_flop[static_cast<std::size_t>(plan.recompute)] / spent;
  return t;
}

}  // namespace ridge::plan::train
