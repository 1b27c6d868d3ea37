// SPDX-License-Identifier: Apache-2.0
#include "device_layers.hpp"

#include <cmath>

#include <ridge/gpu/launch.cuh>

namespace ridge::mlp {
namespace {

__device__ std::size_t my_index() { return blockIdx.x * std::size_t{layer_threads} + threadIdx.x; }

__global__ void softmax_rows(float* logits, const std::uint8_t* labels, std::size_t rows, float* row_losses) {
  const std::size_t row = my_index();
  if (row >= rows) return;
  float* const z = logits + row * device_classes;
  const int label = labels[row];
  float top = z[0];
  for (int c = 1; c < device_classes; ++c) top = fmaxf(top, z[c]);
  float sum = 0;
  for (int c = 0; c < device_classes; ++c) sum += expf(z[c] - top);
  if (row_losses) row_losses[row] = logf(sum) - (z[label] - top);
  const float share = 1 / static_cast<float>(rows);
  for (int c = 0; c < device_classes; ++c) {
    z[c] = share * (expf(z[c] - top) / sum - (c == label ? 1.0F : 0.0F));
  }
}

__global__ void mask(const float* y, float* dy, std::size_t n) {
  const std::size_t i = my_index();
  if (i < n && !(y[i] > 0)) dy[i] = 0;
}

__global__ void descend(const float* parameters, const float* gradient, float rate, float* updated,
                        std::size_t n) {
  const std::size_t i = my_index();
  if (i < n) updated[i] = parameters[i] - rate * gradient[i];
}

__global__ void fill(float* target, float value, std::size_t n) {
  const std::size_t i = my_index();
  if (i < n) target[i] = value;
}

__global__ void __launch_bounds__(layer_threads)
    mean_of(const float* values, std::size_t count, float divisor, float* mean) {
  __shared__ float part[layer_threads];
  float sum = 0;
  for (std::size_t i = threadIdx.x; i < count; i += layer_threads) sum += values[i];
  part[threadIdx.x] = sum;
  for (unsigned half = layer_threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
  }
  if (threadIdx.x == 0) *mean = part[0] / divisor;
}

struct weight_scales {
  double first, second;
};

// mlp::initialise with one parameter per thread.
__global__ void initialise_weights(const float* unit, float* parameters, shape s, weight_scales scales) {
  const std::size_t i = blockIdx.x * std::size_t{layer_threads} + threadIdx.x;
  const std::size_t b1 = s.features * s.hidden, w2 = b1 + s.hidden, b2 = w2 + s.hidden * s.classes;
  if (i >= b2 + s.classes) return;
  double scale = 0;
  if (i < b1) scale = scales.first;
  if (i >= w2 && i < b2) scale = scales.second;
  parameters[i] = static_cast<float>(scale * unit[i]);
}

}  // namespace

void initialise_on_device(const shape& s, const float* unit, float* parameters, cudaStream_t queue) {
  const weight_scales scales{1 / std::sqrt(static_cast<double>(s.features)),
                             1 / std::sqrt(static_cast<double>(s.hidden))};
  gpu::launch(initialise_weights, {gpu::blocks_for(s.parameters(), layer_threads), layer_threads, 0, queue},
              unit, parameters, s, scales);
}

void softmax_on_device(float* logits, const std::uint8_t* labels, std::size_t rows, float* row_losses,
                       cudaStream_t queue) {
  if (rows == 0) return;
  gpu::launch(softmax_rows, {gpu::blocks_for(rows, layer_threads), layer_threads, 0, queue}, logits, labels,
              rows, row_losses);
}

void relu_gradient_on_device(const float* y, float* dy, std::size_t n, cudaStream_t queue) {
  if (n == 0) return;
  gpu::launch(mask, {gpu::blocks_for(n, layer_threads), layer_threads, 0, queue}, y, dy, n);
}

void descend_on_device(const float* parameters, const float* gradient, float rate, float* updated,
                       std::size_t n, cudaStream_t queue) {
  if (n == 0) return;
  gpu::launch(descend, {gpu::blocks_for(n, layer_threads), layer_threads, 0, queue}, parameters, gradient,
              rate, updated, n);
}

void fill_on_device(float* target, float value, std::size_t n, cudaStream_t queue) {
  if (n == 0) return;
  gpu::launch(fill, {gpu::blocks_for(n, layer_threads), layer_threads, 0, queue}, target, value, n);
}

void mean_on_device(const float* values, std::size_t count, float divisor, float* mean, cudaStream_t queue) {
  gpu::launch(mean_of, {1, layer_threads, 0, queue}, values, count, divisor, mean);
}

}  // namespace ridge::mlp
