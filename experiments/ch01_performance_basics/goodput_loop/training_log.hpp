// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

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

}  // namespace ridge::experiments::ch01_goodput_loop
