// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "memory_tables.hpp"

namespace ridge::plan::train {
namespace {

struct parts {
  double states = 0, fixed = 0, in_flight = 0, one_chunk = 0, loss = 0, sent = 0, work = 0;
};

parts parts_of(const rank_memory& m, double chunks) {
  return {.states = m.states_bytes(),
          .fixed = m.context_bytes + m.fragmentation_bytes,
          .in_flight = m.activations_bytes + m.embedding_activations_bytes,
          .one_chunk = m.activations_bytes / std::max(1.0, chunks),
          .loss = m.logits_bytes,
          .sent = m.communication_bytes,
          .work = m.workspace_bytes};
}

}  // namespace

std::vector<step_phase> step_timeline(const memory_model& model, const training_plan& plan) {
  const auto stages = model.by_stage(plan);
  const auto most = std::ranges::max_element(stages, {}, &rank_memory::total_bytes);
  const auto& l = plan.layout;
  const double chunks =
      micro_batches_in_flight(plan, most - stages.begin(), micro_batches_of(model.job(), plan)) *
      l.virtual_pipeline * plan.copies();
  const auto p = parts_of(*most, chunks);
  const double scratch = model.optimizer_scratch_bytes(plan);
  std::vector<step_phase> phases{{"before the step", p.states, 0, 0, p.fixed}};
  if (chunks > 1)
    phases.push_back({"forward, pipeline filling", p.states, p.in_flight - p.one_chunk, p.sent, p.fixed});
  phases.push_back(
      {chunks > 1 ? "forward, pipeline full" : "forward", p.states, p.in_flight, p.sent + p.loss, p.fixed});
  phases.push_back({"backward", p.states, p.in_flight, p.sent + p.loss + p.work, p.fixed});
  if (chunks > 1)
    phases.push_back({"backward, pipeline draining", p.states, p.one_chunk, p.sent + p.work, p.fixed});
  phases.push_back({"optimizer", p.states, 0, scratch, p.fixed});
  return phases;
}

}  // namespace ridge::plan::train
