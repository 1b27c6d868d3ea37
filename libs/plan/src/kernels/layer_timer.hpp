// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include <ridge/plan/serve/iteration.hpp>

#include "attention_grid.hpp"
#include "decode_skew.hpp"

namespace ridge::plan::kernels {

// The layers of a profile stacked to one model.
struct stacked_layers {
  double layers = 0;
  attention_grid attention{};         // per layer
  decode_skew skew{};                 // empty: not measured
  std::vector<double> tokens_s{};     // all other kernels, by tokens of a step
  std::vector<double> sequences_s{};  // head and sampler, by sequences that produce a token
};

[[nodiscard]] std::unique_ptr<serve::iteration_timer> layer_timer(stacked_layers layers);

}  // namespace ridge::plan::kernels
