// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <ridge/harness/setup.hpp>

#include "captured_step.hpp"
#include "goodput_loop.hpp"
#include "training_log.hpp"

namespace ridge::experiments::ch01_goodput_loop {

// Trains as batch_trainer does, by replaying recorded steps. A recording holds for one number of rows, so
// there is one for every step of the first window, one for whole windows, and one for the last.
class captured_trainer {
 public:
  captured_trainer(const workload& w, setup& s);
  void begin_epoch(const workload& w);
  void train(const workload& w, std::size_t step_window, const ch01_mlp::samples& window, training_log& log);

 private:
  [[nodiscard]] ch01_mlp::captured_step record(const workload& w, std::size_t rows, float* gradient) const;
  std::span<float> parameters_, gradient_, scratch_;
  std::vector<ch01_mlp::captured_step> opening_{}, whole_{}, ragged_{};
};

}  // namespace ridge::experiments::ch01_goodput_loop
