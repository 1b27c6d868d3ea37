// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <ridge/harness/experiment.hpp>
#include <ridge/mlp/shape.hpp>

namespace ridge::experiments::ch01_batch_size_sweep {

// One step of stochastic gradient descent on a batch: updated = parameters - rate * gradient of the mean
// loss.
struct workload {
  mlp::shape model{};
  input<float> features{};  // rows of model.features values
  input<std::uint8_t> labels{};
  input<float> parameters{};
  output<float> updated{};
  [[nodiscard]] mlp::samples batch() const { return {features, labels}; }
};

// The learning rate is so large that a wrong gradient shows beside the parameter it changes.
inline constexpr float rate = 0.5F;

[[gnu::weak]] ladder<workload> cuda();

}  // namespace ridge::experiments::ch01_batch_size_sweep
