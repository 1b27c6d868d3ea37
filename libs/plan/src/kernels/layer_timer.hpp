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
  std::vector<double> tokens_s{};     // all other kernels and their collectives, by tokens of a rank
  std::vector<double> sequences_s{};  // head and sampler, by sequences of a rank that produce a token
  std::vector<double> experts_s{};    // experts and their exchange, by tokens of all ranks; empty: none
  int ranks_together = 1;             // data-parallel ranks that share experts: a step is one of all of them
  int micro_batches = 1;              // into which a step is divided: as many as pipeline stages
};

// Steps of the ranks together take as long as the rank with the most sequences: sequences are divided evenly,
// and what does not divide makes one rank slower. The micro-batches of a pipeline are divided in the same way
// and pass all layers one after another, as many at a time as there are stages.
[[nodiscard]] std::unique_ptr<serve::iteration_timer> layer_timer(stacked_layers layers);

}  // namespace ridge::plan::kernels
