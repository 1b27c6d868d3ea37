// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include <ridge/harness/setup.hpp>
#include <ridge/mlp/captured_step.hpp>
#include <ridge/mlp/plain_step.hpp>

#include "goodput_loop.hpp"

namespace ridge::experiments::ch01_goodput_loop {

// Writes a workload's outputs as its steps are taken; zeros where there is no sample.
class training_log {
 public:
  explicit training_log(workload& w)
      : to_(w), last_window_from_(w.samples == 0 ? 0 : (w.samples - 1) / window_rows * window_rows) {
    std::ranges::fill(w.losses, 0.0F);
    if (w.samples == 0) std::ranges::fill(w.first_gradient, 0.0F);
  }
  [[nodiscard]] bool wants_gradient() const { return seen_ == 0; }
  // The gradient may be empty after the first step.
  void step(std::size_t rows, float mean_loss, std::span<const float> gradient) {
    if (seen_ == 0) {
      to_.losses[first] = mean_loss;
      std::ranges::copy(gradient, to_.first_gradient.begin());
    }
    if (seen_ >= last_window_from_) sum_ += mean_loss * static_cast<float>(rows);
    seen_ += rows;
    if (seen_ == to_.samples) to_.losses[last] = sum_ / static_cast<float>(to_.samples - last_window_from_);
  }

 private:
  workload& to_;
  std::size_t last_window_from_;
  std::size_t seen_ = 0;
  float sum_ = 0;
};

using gradient_function = decltype(&mlp::plain_gradient);

// Trains window by window in batches of `batch` rows, the first window in batches of batch_rows: so the first
// gradient is the same whatever the batch, and the large steps begin when the loss has left its steepest part
// (a warm-up, Goyal et al. 2017, section 2.2).
class batch_trainer {
 public:
  batch_trainer(const workload& w, setup& s, std::size_t batch, gradient_function gradient_of);
  void begin_epoch(const workload& w);
  void train(const workload& w, std::size_t step_window, const mlp::samples& window, training_log& log);

 private:
  std::size_t batch_;
  gradient_function gradient_of_;
  std::span<float> parameters_, gradient_, activations_;
};

// Trains as batch_trainer does, by replaying recorded steps. A recording holds for one number of rows, so
// there is one for every step of the first window, one for whole windows, and one for the last.
class captured_trainer {
 public:
  captured_trainer(const workload& w, setup& s);
  void begin_epoch(const workload& w);
  void train(const workload& w, std::size_t step_window, const mlp::samples& window, training_log& log);

 private:
  [[nodiscard]] mlp::captured_step record(const workload& w, std::size_t rows, float* gradient) const;
  std::span<float> parameters_, gradient_, scratch_;
  std::vector<mlp::captured_step> opening_{}, whole_{}, ragged_{};
};

}  // namespace ridge::experiments::ch01_goodput_loop
