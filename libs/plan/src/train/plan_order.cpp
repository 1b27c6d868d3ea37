// SPDX-License-Identifier: Apache-2.0
#include "plan_order.hpp"

#include <tuple>

namespace ridge::plan::train {
namespace {

auto numbers_of(const training_plan& p) {
  const auto& l = p.layout;
  return std::make_tuple(l.tensor, l.pipeline, l.virtual_pipeline, l.context, l.data, l.expert,
                         l.expert_tensor, p.micro_batch, p.shard, p.recompute, !p.sequence_parallel,
                         p.schedule);
}

}  // namespace

bool plainer(const training_plan& a, const training_plan& b) { return numbers_of(a) < numbers_of(b); }

bool better(const ranked_plan& a, const ranked_plan& b) {
  if (a.score != b.score) return a.score < b.score;
  if (a.scored.step_s != b.scored.step_s) return a.scored.step_s < b.scored.step_s;
  if (a.scored.memory_bytes != b.scored.memory_bytes) return a.scored.memory_bytes < b.scored.memory_bytes;
  if (a.scored.gpus != b.scored.gpus) return a.scored.gpus < b.scored.gpus;
  if (a.scored.precision != b.scored.precision) return a.scored.precision < b.scored.precision;
  return plainer(a.scored.plan, b.scored.plan);
}

}  // namespace ridge::plan::train
