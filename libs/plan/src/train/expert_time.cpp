// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "as_real.hpp"
#include "layer_time.hpp"

namespace ridge::plan::train {
// Tokens are divided among tensor ranks, sent to their experts and back, in both passes. Routing is assumed
// to be balanced: every rank computes as many expert rows as its tokens chose.
expert_seconds layer_clock::experts(const layer_shape& layer, const expert_division& d) const {
  const auto& f = layer.feed_forward;
  if (f.experts == 0) return {};
  const double hidden = as_real(job.model.hidden);
  const double tokens = as_real(job.sequence) * d.micro_batch / d.context / d.tensor;
  const double routed = tokens * as_real(f.active_experts);
  const double held = as_real(f.experts) / d.expert;
  const double rows = routed * d.expert_tensor / held;  // rows of one expert on one rank
  const double columns = as_real(f.expert_intermediate) / d.expert_tensor;
  const double product =
      held * (rates.product_s(rates.product_flop_per_s, rows, columns * (f.gated ? 2 : 1), hidden) +
              rates.product_s(rates.product_flop_per_s, rows, hidden, columns));
  // Permutation and summation of rows, twice in each direction, and the activation function.
  const double permuted = routed * hidden * 4 * element_bytes;
  const double wide = rows * held * columns;
  const double forward = rates.streamed_s(permuted + wide * (f.gated ? 6 : 4));
  const double backward = rates.streamed_s(permuted + wide * (f.gated ? 10 : 6));
  const double bytes = routed * hidden * element_bytes;
  const double exchange = 2 *
                          (all_to_all_s(links, bytes, d.expert, d.expert_tensor) +
                           all_gather_s(links, bytes * d.expert_tensor, d.expert_tensor)) *
                          (1 - measured.expert_overlap);
  expert_seconds s;
  s.product = 3 * product;
  // The weight gradients of all experts of the rank are added to sums in 32 bits.
  const double weights = held * hidden * columns * (f.gated ? 3 : 2);
  s.memory_bound = forward + backward + rates.streamed_s(8 * weights);
  s.exchange = 2 * exchange;
  s.forward_again = product + forward;
  s.exchange_again = exchange;
  return s;
}

}  // namespace ridge::plan::train
