// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

#include <ridge/mlp/device_step.hpp>

namespace ridge::mlp {

// The layers as separate kernels. Each function enqueues one launch; the pointwise ones do nothing for no
// elements.
inline constexpr unsigned layer_threads = 256;

// Replaces logits (rows x device_classes) by the gradient of the mean cross-entropy; writes the rows' losses
// where row_losses is not null.
void softmax_on_device(float* logits, const std::uint8_t* labels, std::size_t rows, float* row_losses,
                       cudaStream_t queue);
// Sets dy to 0 where y is not above 0.
void relu_gradient_on_device(const float* y, float* dy, std::size_t n, cudaStream_t queue);
// updated = parameters - rate * gradient
void descend_on_device(const float* parameters, const float* gradient, float rate, float* updated,
                       std::size_t n, cudaStream_t queue);
// Sets n floats to `value`.
void fill_on_device(float* target, float value, std::size_t n, cudaStream_t queue);

}  // namespace ridge::mlp
