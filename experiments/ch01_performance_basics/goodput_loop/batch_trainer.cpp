// SPDX-License-Identifier: Apache-2.0
#include "batch_trainer.hpp"

#include <algorithm>

#include "plain_layers.hpp"

namespace ridge::experiments::ch01_goodput_loop {

batch_trainer::batch_trainer(const workload& w, setup& s, std::size_t batch, gradient_function gradient_of)
    : batch_(batch),
      gradient_of_(gradient_of),
      parameters_(s.workspace<float>(w.model.parameters())),
      gradient_(s.workspace<float>(w.model.parameters())),
      activations_(s.workspace<float>(ch01_mlp::activations::floats(w.model, std::max(batch, batch_rows)))) {}

void batch_trainer::begin_epoch(const workload& w) {
  ch01_mlp::initialise(w.model, w.unit_weights, parameters_);
}

void batch_trainer::train(const workload& w, std::size_t step_window, const ch01_mlp::samples& window,
                          training_log& log) {
  const auto batch = step_window == 0 ? batch_rows : batch_;
  for (std::size_t from = 0; from < window.rows(); from += batch) {
    const auto rows = std::min(batch, window.rows() - from);
    const auto scratch = ch01_mlp::activations::in(w.model, rows, activations_);
    const float loss = gradient_of_(w.model, window.part(from, rows), parameters_, scratch, gradient_);
    log.step(rows, loss, gradient_);
    ch01_mlp::descend(gradient_, rate_per_sample * static_cast<float>(rows), parameters_);
  }
}

}  // namespace ridge::experiments::ch01_goodput_loop
