// SPDX-License-Identifier: Apache-2.0
#include "device_layers.cuh"

#include <ridge/gpu/check.hpp>

namespace ridge::experiments::ch01_mlp {
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

__global__ void descend(const float* parameters, const float* gradient, float rate, float* to,
                        std::size_t n) {
  const std::size_t i = my_index();
  if (i < n) to[i] = parameters[i] - rate * gradient[i];
}

__global__ void fill(float* to, float value, std::size_t n) {
  const std::size_t i = my_index();
  if (i < n) to[i] = value;
}

__global__ void __launch_bounds__(layer_threads)
    mean_of(const float* from, std::size_t count, float divisor, float* to) {
  __shared__ float part[layer_threads];
  float sum = 0;
  for (std::size_t i = threadIdx.x; i < count; i += layer_threads) sum += from[i];
  part[threadIdx.x] = sum;
  for (unsigned half = layer_threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
  }
  if (threadIdx.x == 0) *to = part[0] / divisor;
}

}  // namespace

void softmax_on_device(float* logits, const std::uint8_t* labels, std::size_t rows, float* row_losses,
                       cudaStream_t queue) {
  if (rows == 0) return;
  softmax_rows<<<blocks_for(rows), layer_threads, 0, queue>>>(logits, labels, rows, row_losses);
  gpu::check_launch("softmax_rows");
}

void relu_gradient_on_device(const float* y, float* dy, std::size_t n, cudaStream_t queue) {
  if (n == 0) return;
  mask<<<blocks_for(n), layer_threads, 0, queue>>>(y, dy, n);
  gpu::check_launch("mask");
}

void descend_on_device(const float* parameters, const float* gradient, float rate, float* to, std::size_t n,
                       cudaStream_t queue) {
  if (n == 0) return;
  descend<<<blocks_for(n), layer_threads, 0, queue>>>(parameters, gradient, rate, to, n);
  gpu::check_launch("descend");
}

void fill_on_device(float* to, float value, std::size_t n, cudaStream_t queue) {
  if (n == 0) return;
  fill<<<blocks_for(n), layer_threads, 0, queue>>>(to, value, n);
  gpu::check_launch("fill");
}

void mean_on_device(const float* from, std::size_t count, float divisor, float* to, cudaStream_t queue) {
  mean_of<<<1, layer_threads, 0, queue>>>(from, count, divisor, to);
  gpu::check_launch("mean_of");
}

}  // namespace ridge::experiments::ch01_mlp
