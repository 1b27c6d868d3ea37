// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include <ridge/mlp/shape.hpp>

namespace ridge::mlp {

// What the backward pass needs of the forward one; rows x hidden, rows x classes, rows x hidden.
struct activations {
  std::span<float> hidden{};
  std::span<float> logits{};
  std::span<float> hidden_gradient{};
  [[nodiscard]] static std::size_t floats(const shape& s, std::size_t rows) {
    return rows * (2 * s.hidden + s.classes);
  }
  // Cut from the beginning of `memory`, which holds at least floats(s, rows).
  [[nodiscard]] static activations in(const shape& s, std::size_t rows, std::span<float> memory);
};

// Gradient of the mean loss over the samples, layer by layer; returns that mean loss.
float plain_gradient(const shape& s, const samples& batch, std::span<const float> parameters,
                     const activations& scratch, std::span<float> gradient);

// The same with its matrix products by OpenBLAS on one thread; throws unavailable without the library.
float blas_gradient(const shape& s, const samples& batch, std::span<const float> parameters,
                    const activations& scratch, std::span<float> gradient);

// The same in double, written for checking and not for speed.
double reference_gradient(const shape& s, const samples& batch, std::span<const double> parameters,
                          std::span<double> gradient);

}  // namespace ridge::mlp
