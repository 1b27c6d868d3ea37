// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "as_real.hpp"
#include "memory_tables.hpp"

namespace ridge::plan::train {
namespace {

double shared_from(sharding shard, sharding level, double share) { return shard >= level ? share : 1; }

// Number of groups of more than one rank, each of which has a communicator.
int communicators(const parallel_layout& l) {
  return (l.tensor > 1) + (l.pipeline > 1) + (l.context > 1) + (l.data > 1) + (l.expert > 1) +
         (l.expert_tensor > 1);
}

}  // namespace

plan_rates::plan_rates(const memory_model::tables& tables, const training_plan& p)
    : plan(p),
      pipeline(plan.layout.pipeline),
      micro_batches(micro_batches_of(tables.job, plan)),
      tokens(plan.micro_batch * as_real(tables.job.sequence) / plan.layout.context) {
  divisors = divisors_of(plan, 0);
  set_state_bytes(tables, plan);
  set_ends(tables, plan);
  set_fixed(tables, plan);
  for (std::size_t k = 0; k < tables.kinds.size(); ++k) set_kind(tables, plan, k);
}

void plan_rates::set_state_bytes(const memory_model::tables& tables, const training_plan& plan) {
  const auto& s = tables.settings;
  // The opposite stage has the same weights.
  share = 1 / (sharding_ranks(s, plan.layout) * plan.copies());
  expert_share = 1 / (expert_sharding_ranks(s, plan.layout) * plan.copies());
  const bool adapted = s.adapter_rank > 0;
  const auto weight_of = [&](double part) {
    return s.weight_bytes * shared_from(plan.shard, sharding::weights, part);
  };
  const auto gradient_of = [&](double part) {
    return s.gradient_bytes * shared_from(plan.shard, sharding::gradients, part);
  };
  const auto state_of = [&](double bytes, double part) {
    return bytes * shared_from(plan.shard, sharding::optimizer, part);
  };
  weight = weight_of(share);
  expert_weight = weight_of(expert_share);
  if (adapted) {
    adapter_weight = 2 * shared_from(plan.shard, sharding::weights, share);
    adapter_gradient = gradient_of(share);
    adapter_state = state_of(matrix_state_bytes(s), share);
    return;
  }
  gradient = gradient_of(share);
  expert_gradient = gradient_of(expert_share);
  matrix_state = state_of(matrix_state_bytes(s), share);
  vector_state = state_of(vector_state_bytes(s), share);
  expert_state = state_of(matrix_state_bytes(s), expert_share);
}

// Embedding, head and loss. With several stages, the last one has a copy of a tied head.
void plan_rates::set_ends(const memory_model::tables& tables, const training_plan& plan) {
  const auto& s = tables.settings;
  const double t = plan.layout.tensor;
  embedding_parameters = tables.embedding / t + tables.position_rows;
  const double head = pipeline > 1 ? tables.embedding : tables.head;
  head_matrices = tables.prediction_matrices / t;
  head_vectors = head / t + tables.final_norm;
  embedding_kept = tables.job.dropout ? tokens * tables.hidden / divisors.norm : 0;
  const double rows = s.loss_chunk_tokens > 0 ? std::min(tokens, as_real(s.loss_chunk_tokens)) : tokens;
  logits = as_real(1 + tables.prediction_layers) * rows * as_real(tables.job.model.vocabulary) *
               s.logit_bytes / t +
           tokens * 4 * tables.hidden / divisors.norm;
  if (plan.shard == sharding::weights)
    embedding_gathered =
        tables.embedding / t * (2 * s.weight_bytes + (s.adapter_rank > 0 ? 0 : s.gradient_bytes));
}

// Buffers for the activations and gradients that pipeline stages exchange, and one gathered input with
// sequence parallelism.
void plan_rates::set_fixed(const memory_model::tables& tables, const training_plan& plan) {
  const double row = 2 * tables.hidden * tokens;
  if (pipeline > 1) communication += 4 * row / divisors.norm;
  if (divisors.norm > 1) communication += tables.settings.fp8_activations ? row / 2 : row;
  context = tables.settings.context_bytes + tables.settings.communicator_bytes * communicators(plan.layout);
}

void plan_rates::set_kind(const memory_model::tables& tables, const training_plan& plan, std::size_t k) {
  const auto& s = tables.settings;
  const auto& kind = tables.kinds[k];
  const auto& p = kind.parameters;
  const auto& l = plan.layout;
  auto split = divisors;
  split.key_value = kind.kv_heads > 0 ? std::min(divisors.tensor, kind.kv_heads) : divisors.tensor;
  auto& to = kinds[k];
  to.matrices = p.tensor / divisors.tensor + p.key_value / split.key_value + p.replicated;
  to.vectors = p.vectors;
  to.experts = p.experts / (static_cast<double>(l.expert) * l.expert_tensor);
  to.adapters = p.adapters_tensor / divisors.tensor + p.adapters_replicated;

  const double all = kind.kept.without_core(split) + kind.kept.core / split.tensor;
  double kept = all;
  if (plan.recompute == recomputation::full) kept = kind.input / split.norm;
  if (plan.recompute == recomputation::selective)
    kept = (s.recompute_pointwise || s.recompute_up_projections ? kind.kept_lean : kind.kept)
               .without_core(split);
  to.kept = kept * tokens;
  const double gradient_rows =
      std::max(kind.wide_gradient / split.tensor, kind.wide_routed_gradient / split.norm) +
      kind.input / split.norm;
  to.recomputed = (all - kept + gradient_rows) * tokens;

  to.gathered = 0;
  if (plan.shard == sharding::weights) {
    const double whole = to.matrices + to.vectors + to.experts;
    to.gathered = whole * (2 * s.weight_bytes + (s.adapter_rank > 0 ? 0 : s.gradient_bytes));
  }
  to.communication = 0;
  if (l.context > 1) to.communication += 2 * kind.ring / split.key_value * tokens;
  if (l.expert > 1) to.communication += 2 * kind.sent_to_experts / split.norm * tokens;
  to.scratch = s.optimizer == optimizer_kind::muon && s.adapter_rank == 0 ? 3 * 2 * p.widest_matrix : 0;
}

bool has_embedding(const training_plan& plan, std::int64_t stage) {
  return stage == 0 || (plan.schedule == pipeline_schedule::dual_pipe && stage == plan.layout.pipeline - 1);
}

bool has_head(const training_plan& plan, std::int64_t stage) {
  return stage == plan.layout.pipeline - 1 || (plan.schedule == pipeline_schedule::dual_pipe && stage == 0);
}

stage_parameters parameters_of_stage(const plan_rates& r, const stage_counts& stage) {
  stage_parameters sum;
  for (std::size_t k = 0; k < stage.of_kind.size(); ++k) {
    const double n = stage.of_kind[k];
    const auto& kind = r.kinds[k];
    sum.matrices += n * kind.matrices;
    sum.vectors += n * kind.vectors;
    sum.experts += n * kind.experts;
    sum.adapters += n * kind.adapters;
  }
  if (has_embedding(r.plan, stage.stage)) sum.vectors += r.embedding_parameters;
  if (has_head(r.plan, stage.stage)) {
    sum.vectors += r.head_vectors;
    sum.matrices += r.head_matrices;
  }
  return sum;
}

namespace {

void set_states(rank_memory& memory, const plan_rates& r, const stage_parameters& p) {
  memory.weights_bytes = p.dense() * r.weight + p.adapters * r.adapter_weight;
  memory.gradients_bytes = p.dense() * r.gradient + p.adapters * r.adapter_gradient;
  memory.optimizer_bytes =
      p.matrices * r.matrix_state + p.vectors * r.vector_state + p.adapters * r.adapter_state;
  memory.expert_weights_bytes = p.experts * r.expert_weight;
  memory.expert_gradients_bytes = p.experts * r.expert_gradient;
  memory.expert_optimizer_bytes = p.experts * r.expert_state;
}

// The layer of a stage that needs most temporary memory, and the sum of what its layers keep.
struct stage_layers_memory {
  double kept = 0, recomputed = 0, gathered = 0, communication = 0, scratch = 0;
};

stage_layers_memory layers_memory(const plan_rates& r, const stage_counts& stage) {
  stage_layers_memory m;
  for (std::size_t k = 0; k < stage.of_kind.size(); ++k) {
    if (stage.of_kind[k] == 0) continue;
    const auto& kind = r.kinds[k];
    m.kept += stage.of_kind[k] * kind.kept;
    m.recomputed = std::max(m.recomputed, kind.recomputed);
    m.gathered = std::max(m.gathered, kind.gathered);
    m.communication = std::max(m.communication, kind.communication);
    m.scratch = std::max(m.scratch, kind.scratch);
  }
  return m;
}

}  // namespace

rank_memory memory_of_stage(const memory_model::tables& tables, const plan_rates& r,
                            const stage_counts& stage) {
  const bool first = has_embedding(r.plan, stage.stage);
  const bool last = has_head(r.plan, stage.stage);
  auto layers = layers_memory(r, stage);
  if (first || last) layers.gathered = std::max(layers.gathered, r.embedding_gathered);
  const double in_flight = micro_batches_in_flight(r.plan, stage.stage, r.micro_batches);

  rank_memory m;
  set_states(m, r, parameters_of_stage(r, stage));
  m.activations_bytes = layers.kept * in_flight;
  if (first)
    m.embedding_activations_bytes = r.embedding_kept * as_real(std::min(r.pipeline, r.micro_batches));
  if (last) m.logits_bytes = r.logits;
  // The optimizer needs its scratch memory after activations are freed: it counts only beyond their size.
  const double backward = m.activations_bytes + m.embedding_activations_bytes + m.logits_bytes;
  m.workspace_bytes = std::max(layers.recomputed + layers.gathered, layers.scratch - backward);
  m.communication_bytes = r.communication + layers.communication;
  m.context_bytes = r.context;
  m.fragmentation_bytes = tables.settings.fragmentation * (backward + m.workspace_bytes);
  return m;
}

}  // namespace ridge::plan::train
