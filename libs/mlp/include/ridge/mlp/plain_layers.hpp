// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace ridge::mlp {

// The layers of a training step as plain loops in the order of the mathematics; the compiler vectorizes them
// for each instruction set. Matrices are row-major, and their sizes follow from the spans and `rows`. No two
// arguments overlap.

// y (rows x out) = x (rows x in) w (in x out)
void product(std::span<const float> x, std::span<const float> w, std::span<float> y, std::size_t rows);
// dw (in x out) = x^T (in x rows) dy (rows x out)
void weight_gradient(std::span<const float> x, std::span<const float> dy, std::span<float> dw,
                     std::size_t rows);
// dx (rows x in) = dy (rows x out) w^T (out x in)
void input_gradient(std::span<const float> dy, std::span<const float> w, std::span<float> dx,
                    std::size_t rows);
// Adds `bias` to every row of y.
void add_bias(std::span<const float> bias, std::span<float> y);
// y = max(y, 0)
void relu(std::span<float> y);
// Sets dy to 0 where y is not above 0.
void relu_gradient(std::span<const float> y, std::span<float> dy);
// sums[j] = sum over rows of y[., j]
void column_sums(std::span<const float> y, std::span<float> sums);
// Returns the mean cross-entropy of softmax(logits) over the rows, 0 where there are none. Replaces the
// logits by the gradient of (rows / batch) times that mean.
float softmax_loss(std::span<float> logits, std::span<const std::uint8_t> labels, std::size_t batch);
// parameters -= rate * gradient
void descend(std::span<const float> gradient, float rate, std::span<float> parameters);

}  // namespace ridge::mlp
