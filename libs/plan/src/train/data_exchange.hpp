// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/plan/train/training_plan.hpp>

#include "gather_table.hpp"
#include "layer_time.hpp"

namespace ridge::plan::train {

// The weights of a stage on one rank, and the ranks that have the same ones.
struct held_weights {
  double dense = 0, experts = 0;
};

// Matrix weights of a model: of its mean layer and of one embedding.
struct model_weights {
  double layer = 0, layer_experts = 0, embedding = 0;
};
[[nodiscard]] model_weights weights_of(const model_shape& m);
[[nodiscard]] held_weights held_by(const model_weights& w, const training_plan& plan, double layers,
                                   double embeddings);

// Seconds of one micro-batch on a stage, which may overlap the exchange.
struct hiding_passes {
  double forward_s = 0, backward_s = 0;
  double micro_batches = 1, layers = 1;
};

// Seconds of the exchange of gradients and weights among data-parallel ranks that the passes do not overlap.
[[nodiscard]] double data_exposed_s(const layer_clock& clock, const gather_table& gathers,
                                    const training_plan& plan, const held_weights& held,
                                    const hiding_passes& passes);
// Seconds of the update by Adam: it reads and writes master weights and two moments, reads the gradient, and
// writes the weight.
[[nodiscard]] double optimizer_s(const kernel_rates& rates, const training_plan& plan,
                                 const held_weights& held);

}  // namespace ridge::plan::train
