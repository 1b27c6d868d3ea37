// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "as_real.hpp"
#include "layer_time.hpp"

namespace ridge::plan::train {
namespace {

// Nodes other than its own that a token goes to, when its experts are drawn from the nodes it may use.
double other_nodes(const feed_forward_shape& f, double nodes) {
  const double used = f.active_groups > 0 ? std::min(nodes, as_real(f.active_groups)) : nodes;
  const double met = used * (1 - std::pow(1 - 1 / used, as_real(f.active_experts)));
  return met * (nodes - 1) / nodes;
}

// Seconds to send `rows` bytes of one copy of each token to its experts: once to each other node, then to
// every expert inside; both links work at a time.
double forwarded_s(const interconnect& links, const feed_forward_shape& f, double bytes,
                   const expert_division& d) {
  const auto span = std::int64_t{d.expert} * d.expert_tensor;
  const auto& inner = links.tiers.front();
  const double inside = as_real(f.active_experts) * bytes / inner.reached_bytes_per_s();
  const auto& outer = links.tier_of(d.expert, d.expert_tensor);
  if (&outer == &inner)
    return all_to_all_s(links, as_real(f.active_experts) * bytes, d.expert, d.expert_tensor);
  const double nodes = as_real(span) / as_real(inner.size);
  const double across = other_nodes(f, nodes) * bytes / outer.reached_bytes_per_s();
  return std::max(inside, across) + inner.latency_s + outer.latency_s;
}

// Seconds of one direction of the exchange, there and back.
double exchange_s(const layer_clock& c, const feed_forward_shape& f, double tokens,
                  const expert_division& d) {
  const double row = tokens * as_real(c.job.model.hidden) * element_bytes;
  const double bytes = row * as_real(f.active_experts);
  const double gather = 2 * all_gather_s(c.links, bytes * d.expert_tensor, d.expert_tensor);
  if (!d.forwarded) return 2 * all_to_all_s(c.links, bytes, d.expert, d.expert_tensor) + gather;
  if (d.expert == 1) return gather;
  const double there = forwarded_s(c.links, f, row * c.rates.gathered_bytes / element_bytes, d);
  return there + forwarded_s(c.links, f, row, d) + gather;
}

}  // namespace
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
  const double product = rates.grouped_s(held, rows, columns * (f.gated ? 2 : 1), hidden) +
                         rates.grouped_s(held, rows, hidden, columns);
  // Permutation and summation of rows, twice in each direction, and the activation function.
  const double permuted = routed * hidden * 4 * element_bytes;
  const double wide = rows * held * columns;
  const double forward = rates.streamed_s(permuted + wide * (f.gated ? 6 : 4));
  const double backward = rates.streamed_s(permuted + wide * (f.gated ? 10 : 6));
  const double exchange = exchange_s(*this, f, tokens, d) * (1 - measured.expert_overlap);
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
