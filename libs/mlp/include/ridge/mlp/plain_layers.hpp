// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace ridge::mlp {

// The layers of a training step as plain loops in the order of the mathematics, left to the compiler, which
// makes them for each instruction set. Matrices are row-major; sizes follow from the spans and `rows`. No two
// arguments overlap unless said.

// y (rows x out) = x (rows x in) w (in x out)
void product(std::span<const float> x, std::span<const float> w, std::span<float> y, std::size_t rows);
// dw (in x out) = x^T (in x rows) dy (rows x out)
void weight_gradient(std::span<const float> x, std::span<const float> dy, std::span<float> dw,
                     std::size_t rows);
// dx (rows x in) = dy (rows x out) w^T (out x in)
void input_gradient(std::span<const float> dy, std::span<const float> w, std::span<float> dx,
                    std::size_t rows);
// Every row of y += bias.
void add_bias(std::span<const float> bias, std::span<float> y);
// y = max(y, 0)
void relu(std::span<float> y);
// dy = 0 where y is not above 0.
void relu_gradient(std::span<const float> y, std::span<float> dy);
// sums[j] = sum over rows of y[., j]
void column_sums(std::span<const float> y, std::span<float> sums);
// Mean cross-entropy over the rows; logits become the gradient of (rows / batch) times that mean. Zero for no
// rows.
float softmax_loss(std::span<float> logits, std::span<const std::uint8_t> labels, std::size_t batch);
// parameters -= rate * gradient
void descend(std::span<const float> gradient, float rate, std::span<float> parameters);

}  // namespace ridge::mlp
