// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include <ridge/harness/setup.hpp>

#include "goodput_loop.hpp"
#include "plain_step.hpp"
#include "training_log.hpp"

namespace ridge::experiments::ch01_goodput_loop {

using gradient_function = decltype(&ch01_mlp::plain_gradient);

// Trains window by window in batches of `batch` rows, the first window in batches of batch_rows: so the first
// gradient is the same whatever the batch, and the large steps begin when the loss has left its steepest part
// (a warm-up, Goyal et al. 2017, section 2.2).
class batch_trainer {
 public:
  batch_trainer(const workload& w, setup& s, std::size_t batch, gradient_function gradient_of);
  void begin_epoch(const workload& w);
  void train(const workload& w, std::size_t step_window, const ch01_mlp::samples& window, training_log& log);

 private:
  std::size_t batch_;
  gradient_function gradient_of_;
  std::span<float> parameters_, gradient_, activations_;
};

}  // namespace ridge::experiments::ch01_goodput_loop
