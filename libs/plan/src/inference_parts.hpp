// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/plan/inference_memory.hpp>

namespace ridge::plan {

// The numbers of ranks that divide the parts of a layer.
struct layer_ranks {
  double attention = 1, feed_forward = 1, experts = 1;
};

// Peak bytes of activations of such a layer in a full step: residual and hidden state, and the inputs and
// outputs of its widest product.
[[nodiscard]] double widest_bytes(const inference_setup& s, const layer_shape& layer,
                                  const layer_ranks& ranks);
// Bytes for the logits of all sequences, which every tensor rank holds, and the hidden states of the step.
[[nodiscard]] double sampler_peak_bytes(const inference_setup& s);
[[nodiscard]] parameter_counts counts_of_kind(const model_shape& m, std::size_t kind);
// Number of replicas that divide the sequences of a load.
[[nodiscard]] std::int64_t replicas_of(const parallel_layout& l);

}  // namespace ridge::plan
