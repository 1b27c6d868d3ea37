// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <ridge/harness/experiment.hpp>
#include <ridge/mlp/shape.hpp>

namespace ridge::experiments::ch01_goodput_loop {

// One epoch of training a perceptron by stochastic gradient descent on the records of a file.
struct workload {
  mlp::shape model{};
  std::size_t samples = 0;
  data_file records{};
  input<std::uint32_t> order_seed{};  // one
  input<float> unit_weights{};        // model.parameters(), variance 1
  output<float> first_gradient{};     // gradient of the mean loss of the first batch_rows samples
  output<float> losses{};             // mean loss of those, and of the last window's samples
};

// Every variant visits the same samples in the same order: the file in windows of `window_rows` records, the
// windows and the rows of each shuffled. A step's update is -rate_per_sample times the sum of its samples'
// gradients, so that a larger batch takes as long a step as the small ones it stands for (linear scaling:
// Goyal et al. 2017, arXiv:1706.02677, section 2.1).
inline constexpr std::size_t window_rows = 128;
inline constexpr std::size_t batch_rows = 32;
inline constexpr float rate_per_sample = 0.1F / batch_rows;

inline constexpr phase useful{"useful"}, read{"read"}, decode{"decode"}, shuffle{"shuffle"},
    allocate{"allocate"}, wait{"wait"}, copy{"copy"};
inline constexpr std::size_t first = 0, last = 1;  // places in `losses`

ladder<workload> cpu();
[[gnu::weak]] ladder<workload> cuda();

}  // namespace ridge::experiments::ch01_goodput_loop
