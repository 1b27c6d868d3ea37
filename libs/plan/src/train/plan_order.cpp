// SPDX-License-Identifier: Apache-2.0
#include "plan_order.hpp"

#include <tuple>

namespace ridge::plan::train {
namespace {

auto numbers_of(const training_plan& p) {
  const auto& l = p.layout;
  return std::make_tuple(l.tensor, l.pipeline, l.virtual_pipeline, l.context, l.data, l.expert,
                         l.expert_tensor, p.micro_batch, p.shard, p.recompute, !p.sequence_parallel);
}

}  // namespace

bool plainer(const training_plan& a, const training_plan& b) { return numbers_of(a) < numbers_of(b); }

bool better(const ranked_plan& a, const ranked_plan& b) {
  if (a.score != b.score) return a.score < b.score;
  if (a.of.step_s != b.of.step_s) return a.of.step_s < b.of.step_s;
  if (a.of.memory_bytes != b.of.memory_bytes) return a.of.memory_bytes < b.of.memory_bytes;
  if (a.of.gpus != b.of.gpus) return a.of.gpus < b.of.gpus;
  if (a.of.precision != b.of.precision) return a.of.precision < b.of.precision;
  return plainer(a.of.plan, b.of.plan);
}

}  // namespace ridge::plan::train
