// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <ridge/plan/model_shape.hpp>
#include <ridge/plan/train/training_plan.hpp>

namespace ridge::plan::train {

// FLOP of one forward pass of one sequence through all layers; a multiply-add counts two. Attention counts
// the pairs that a causal mask leaves: 2 · h · s² per layer (Megatron counts twice that).
struct forward_flop {
  double products = 0;   // with weights: projections, feed-forward, active experts, router
  double attention = 0;  // scores and their product with values, or a linear mixer's recurrence
  double head = 0;       // logits

  // Sum of the parts.
  [[nodiscard]] double total() const { return products + attention + head; }
};

// FLOP of a forward pass over `sequence` tokens.
[[nodiscard]] forward_flop forward_flop_of(const model_shape& m, std::int64_t sequence);

// FLOP of a training step: those of the model, three times forward, which MFU counts; and all computed ones,
// with recomputation, which HFU counts.
[[nodiscard]] double model_flop(const training_job& job);
[[nodiscard]] double hardware_flop(const training_job& job, recomputation r);

}  // namespace ridge::plan::train
