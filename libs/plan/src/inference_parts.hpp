// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/plan/inference_memory.hpp>

namespace ridge::plan {

// By how many ranks the parts of a layer are divided.
struct layer_ranks {
  double attention = 1, feed_forward = 1, experts = 1;
};

// The most that a layer of this kind needs at once in a full step: residual and hidden state, and the inputs
// and outputs of its widest product.
[[nodiscard]] double widest_bytes(const inference_setup& s, const layer_shape& layer, const layer_ranks& by);
// Logits of every sequence, on every tensor rank, and hidden states of the step.
[[nodiscard]] double sampler_peak_bytes(const inference_setup& s);
[[nodiscard]] parameter_counts counts_of_kind(const model_shape& m, std::size_t kind);
[[nodiscard]] engine_budget_question budget_question_of(const inference_setup& s, const inference_rank& r,
                                                        double gpu_bytes);
// Replicas that share out the sequences of a load.
[[nodiscard]] std::int64_t replicas_of(const parallel_layout& l);

}  // namespace ridge::plan
