// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/train/training_flop.hpp>

#include "layer_work.hpp"

namespace ridge::plan::train {
namespace {

double weights_a_token(const layer_shape& layer, double hidden) {
  const auto& f = layer.feed_forward;
  return mixer_products(layer.attention, hidden).weights() + dense_products(f, hidden).weights() +
         static_cast<double>(f.active_experts) * expert_weights(f, hidden);
}

double attention_a_token(const attention_shape& a, double sequence) {
  return core_flop(a) * mean_keys(a, sequence) + indexer_flop(a) * sequence / 2 + recurrence_flop(a);
}

}  // namespace

forward_flop forward_flop_of(const model_shape& m, std::int64_t sequence) {
  const auto hidden = static_cast<double>(m.hidden);
  const auto tokens = static_cast<double>(sequence);
  forward_flop out{.head = 2 * tokens * hidden * static_cast<double>(m.vocabulary)};
  for (const auto kind : m.order) {
    const auto& layer = m.kinds[kind];
    out.products += 2 * tokens * weights_a_token(layer, hidden);
    out.attention += tokens * attention_a_token(layer.attention, tokens);
  }
  return out;
}

double model_flop(const training_job& job) {
  return 3 * static_cast<double>(job.global_batch) * forward_flop_of(job.model, job.sequence).total();
}

double hardware_flop(const training_job& job, recomputation r) {
  const auto forward = forward_flop_of(job.model, job.sequence);
  const auto batch = static_cast<double>(job.global_batch);
  switch (r) {
    case recomputation::none:
      return batch * 3 * forward.total();
    case recomputation::selective:
      return batch * (3 * forward.total() + forward.attention);
    case recomputation::full:
      break;
  }
  return batch * (3 * forward.total() + forward.products + forward.attention);
}

}  // namespace ridge::plan::train
