// SPDX-License-Identifier: Apache-2.0
#include "captured_trainer.hpp"

#include <algorithm>

namespace ridge::experiments::ch01_goodput_loop {

captured_trainer::captured_trainer(const workload& w, setup& s)
    : parameters_(s.workspace<float>(w.model.parameters())),
      gradient_(s.workspace<float>(w.model.parameters())),
      scratch_(s.workspace<float>(ch01_mlp::captured_step::scratch_floats(w.model, window_rows))) {
  const auto first_window = std::min(window_rows, w.samples);
  for (std::size_t from = 0; from < first_window; from += batch_rows) {
    const auto rows = std::min(batch_rows, first_window - from);
    opening_.push_back(record(w, rows, from == 0 ? gradient_.data() : nullptr));
  }
  whole_.push_back(record(w, window_rows, nullptr));
  ragged_.push_back(record(w, w.samples % window_rows, nullptr));
}

ch01_mlp::captured_step captured_trainer::record(const workload& w, std::size_t rows, float* gradient) const {
  auto* const p = parameters_.data();
  return {
      w.model, rows, rows, rate_per_sample * static_cast<float>(rows), {p, p, p, gradient, scratch_.data()}};
}

void captured_trainer::begin_epoch(const workload& w) {
  ch01_mlp::initialise(w.model, w.unit_weights, parameters_);
}

void captured_trainer::train(const workload& w, std::size_t step_window, const ch01_mlp::samples& window,
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
