// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

#include <ridge/mlp/device_step.hpp>

namespace ridge::mlp {

// The layers as kernels of their own; the pointwise ones do nothing for no elements.
inline constexpr unsigned layer_threads = 256;

// Mean cross-entropy: logits (rows x device_classes) become its gradient.
void softmax_on_device(float* logits, const std::uint8_t* labels, std::size_t rows, float* row_losses,
                       cudaStream_t queue);
// dy = 0 where y is not above 0.
void relu_gradient_on_device(const float* y, float* dy, std::size_t n, cudaStream_t queue);
// to = parameters - rate * gradient
void descend_on_device(const float* parameters, const float* gradient, float rate, float* to, std::size_t n,
                       cudaStream_t queue);
void fill_on_device(float* to, float value, std::size_t n, cudaStream_t queue);

}  // namespace ridge::mlp
