// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <ridge/plan/model_shape.hpp>
#include <ridge/plan/train/training_plan.hpp>

namespace ridge::plan::train {

// FLOP of one forward pass of one sequence, all layers; a multiply-add is two. Attention counts what a causal
// mask leaves: 2 · h · s² a layer (Megatron counts twice that).
struct forward_flop {
  double products = 0;   // of weights: projections, feed-forward, the active experts, the router
  double attention = 0;  // scores and their product with values; a linear mixer's recurrence
  double head = 0;       // logits

  [[nodiscard]] double total() const { return products + attention + head; }
};

[[nodiscard]] forward_flop forward_flop_of(const model_shape& m, std::int64_t sequence);

// FLOP of a step: the model's own, three times forward (of MFU), and what is computed with recomputation (of
// HFU).
[[nodiscard]] double model_flop(const training_job& job);
[[nodiscard]] double hardware_flop(const training_job& job, recomputation r);

}  // namespace ridge::plan::train
