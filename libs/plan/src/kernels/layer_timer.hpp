// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include <ridge/plan/serve/iteration.hpp>

#include "attention_grid.hpp"
#include "decode_skew.hpp"

namespace ridge::plan::kernels {

// What a layer profile comes to for one model.
struct stacked_layers {
  double layers = 0;
  attention_grid attention{};         // of one layer
  decode_skew skew{};                 // empty: not measured
  std::vector<double> tokens_s{};     // of all else, by the tokens of a step
  std::vector<double> sequences_s{};  // head and sampler, by the sequences that get a token
};

[[nodiscard]] std::unique_ptr<serve::iteration_timer> layer_timer(stacked_layers of);

}  // namespace ridge::plan::kernels
