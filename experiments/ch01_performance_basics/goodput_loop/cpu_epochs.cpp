// SPDX-License-Identifier: Apache-2.0
#include "cpu_epochs.hpp"

#include <algorithm>

#include <ridge/mlp/plain_layers.hpp>

namespace ridge::experiments::ch01_goodput_loop {

batch_trainer::batch_trainer(const workload& w, setup& s, std::size_t batch, gradient_function gradient_of)
    : batch_(batch),
      gradient_of_(gradient_of),
      parameters_(s.workspace<float>(w.model.parameters())),
      gradient_(s.workspace<float>(w.model.parameters())),
      activations_(s.workspace<float>(mlp::activations::floats(w.model, std::max(batch, batch_rows)))) {}

void batch_trainer::begin_epoch(const workload& w) { mlp::initialise(w.model, w.unit_weights, parameters_); }

void batch_trainer::train(const workload& w, std::size_t step_window, const mlp::samples& window,
                          training_log& log) {
  const auto batch = step_window == 0 ? batch_rows : batch_;
  for (std::size_t from = 0; from < window.rows(); from += batch) {
    const auto rows = std::min(batch, window.rows() - from);
    const auto scratch = mlp::activations::in(w.model, rows, activations_);
    const float loss = gradient_of_(w.model, window.part(from, rows), parameters_, scratch, gradient_);
    log.step(rows, loss, gradient_);
    mlp::descend(gradient_, rate_per_sample * as_float(rows), parameters_);
  }
}

captured_trainer::captured_trainer(const workload& w, setup& s)
    : parameters_(s.workspace<float>(w.model.parameters())),
      gradient_(s.workspace<float>(w.model.parameters())),
      scratch_(s.workspace<float>(mlp::captured_step::scratch_floats(w.model, window_rows))) {
  const auto first_window = std::min(window_rows, w.samples);
  for (std::size_t from = 0; from < first_window; from += batch_rows) {
    const auto rows = std::min(batch_rows, first_window - from);
    opening_.push_back(record(w, rows, from == 0 ? gradient_.data() : nullptr));
  }
  whole_.push_back(record(w, window_rows, nullptr));
  ragged_.push_back(record(w, w.samples % window_rows, nullptr));
}

mlp::captured_step captured_trainer::record(const workload& w, std::size_t rows, float* gradient) const {
  auto* const p = parameters_.data();
  return {w.model, rows, rows, rate_per_sample * as_float(rows), {p, p, p, gradient, scratch_.data()}};
}

void captured_trainer::begin_epoch(const workload& w) {
  mlp::initialise(w.model, w.unit_weights, parameters_);
}

void captured_trainer::train(const workload& w, std::size_t step_window, const mlp::samples& window,
                             training_log& log) {
  auto& recorded = step_window == 0 ? opening_ : window.rows() == window_rows ? whole_ : ragged_;
  const float* features = window.features.data();
  const std::uint8_t* labels = window.labels.data();
  for (auto& step : recorded) {
    const float loss = step.replay(features, labels);
    log.step(step.rows(), loss, gradient_);
    features += step.rows() * w.model.features;
    labels += step.rows();
  }
}

}  // namespace ridge::experiments::ch01_goodput_loop
