// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include <ridge/mlp/shape.hpp>

namespace ridge::mlp {

// Results of the forward pass that the backward pass needs: rows x hidden, rows x classes, rows x hidden.
struct activations {
  std::span<float> hidden{};
  std::span<float> logits{};
  std::span<float> hidden_gradient{};
  // Number of floats that the activations of `rows` rows take.
  [[nodiscard]] static std::size_t floats(const shape& s, std::size_t rows) {
    return rows * (2 * s.hidden + s.classes);
  }
  // Activations at the beginning of `memory`, which holds at least floats(s, rows) floats.
  [[nodiscard]] static activations in(const shape& s, std::size_t rows, std::span<float> memory);
};

// Computes the gradient of the mean loss over the samples, layer by layer, and returns that mean loss.
float plain_gradient(const shape& s, const samples& batch, std::span<const float> parameters,
                     const activations& scratch, std::span<float> gradient);

// The same gradient and loss with matrix products by OpenBLAS on one thread. Throws unavailable without the
// library.
float blas_gradient(const shape& s, const samples& batch, std::span<const float> parameters,
                    const activations& scratch, std::span<float> gradient);

// The same gradient and loss in double precision, written for checking and not for speed.
double reference_gradient(const shape& s, const samples& batch, std::span<const double> parameters,
                          std::span<double> gradient);

}  // namespace ridge::mlp
