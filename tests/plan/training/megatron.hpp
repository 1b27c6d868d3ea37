// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "run.hpp"

namespace ridge::plan::train {

// The share of tensor ranks' backward exchange that Megatron hides since 2022: the gather of a block's input
// and the scatter of its gradient run beside products, the gather of the output's gradient does not
// (LinearWithGradAccumulationAndAsyncCommunication).
inline constexpr double megatron_2022_backward_overlap = 2.0 / 3;

// Seconds of a step of four GPT models on A100 (Korthikanti et al., 2022, tables 3 and 5): with full
// recomputation, and with selective recomputation and sequence parallelism.
[[nodiscard]] std::vector<measured_run> megatron_runs();

// The sizes of a model like GPT-3: `positions` learned ones, 0 where they are computed.
struct gpt_sizes {
  std::int64_t hidden, heads, layers, vocabulary, positions;
};
// Its shape: one kind of layers, blocks of four times its width with biases, embeddings tied.
[[nodiscard]] model_shape gpt_shape(std::string name, const gpt_sizes& g, std::int64_t sequence);

}  // namespace ridge::plan::train
