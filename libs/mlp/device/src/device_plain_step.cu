// SPDX-License-Identifier: Apache-2.0
#include <ridge/base/expects.hpp>
#include <ridge/gpu/launch.cuh>

#include "device_layers.hpp"

namespace ridge::mlp {
namespace {

constexpr int tile = 16;

// A matrix whose element (i, j) is at i * row_step + j * column_step; exchanged steps transpose it.
struct strided {
  const float* data;
  std::size_t row_step, column_step;
};

// c (m x n, row-major) = a (m x depth) b (depth x n), one sum per thread, by tiles in shared memory.
__global__ void __launch_bounds__(tile* tile)
    multiply(strided a, strided b, float* c, std::size_t m, std::size_t n, std::size_t depth) {
  __shared__ float left[tile][tile + 1], right[tile][tile + 1];
  const std::size_t x = threadIdx.x % tile, y = threadIdx.x / tile;
  const std::size_t row = blockIdx.y * std::size_t{tile} + y, column = blockIdx.x * std::size_t{tile} + x;
  float sum = 0;
  for (std::size_t first = 0; first < depth; first += tile) {
    left[y][x] = row < m && first + x < depth ? a.data[row * a.row_step + (first + x) * a.column_step] : 0.0F;
    right[y][x] =
        column < n && first + y < depth ? b.data[(first + y) * b.row_step + column * b.column_step] : 0.0F;
    __syncthreads();
    for (int t = 0; t < tile; ++t) sum += left[y][t] * right[t][x];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}

__global__ void add_bias(const float* bias, float* y, std::size_t width, std::size_t n) {
  const std::size_t i = blockIdx.x * std::size_t{layer_threads} + threadIdx.x;
  if (i < n) y[i] += bias[i % width];
}

__global__ void relu(float* y, std::size_t n) {
  const std::size_t i = blockIdx.x * std::size_t{layer_threads} + threadIdx.x;
  if (i < n) y[i] = fmaxf(y[i], 0);
}

// sums[j] = sum over rows of y[., j], one block per column.
__global__ void __launch_bounds__(layer_threads)
    column_sums(const float* y, std::size_t rows, std::size_t width, float* sums) {
  __shared__ float part[layer_threads];
  float sum = 0;
  for (std::size_t i = threadIdx.x; i < rows; i += layer_threads) sum += y[i * width + blockIdx.x];
  part[threadIdx.x] = sum;
  for (unsigned half = layer_threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}

// The launches of a step.
class operations {
 public:
  explicit operations(cudaStream_t queue) : queue_(queue) {}
  void multiply_into(float* c, std::size_t m, std::size_t n, std::size_t depth, strided a, strided b) const {
    gpu::launch(multiply, {dim3(gpu::blocks_for(n, tile), gpu::blocks_for(m, tile)), tile * tile, 0, queue_},
                a, b, c, m, n, depth);
  }
  void bias_onto(float* y, const float* bias, std::size_t rows, std::size_t width) const {
    gpu::launch(add_bias, {gpu::blocks_for(rows * width, layer_threads), layer_threads, 0, queue_}, bias, y,
                width, rows * width);
  }
  void rectify(float* y, std::size_t n) const {
    gpu::launch(relu, {gpu::blocks_for(n, layer_threads), layer_threads, 0, queue_}, y, n);
  }
  void sum_columns(const float* y, std::size_t rows, std::size_t width, float* sums) const {
    gpu::launch(column_sums, {static_cast<unsigned>(width), layer_threads, 0, queue_}, y, rows, width, sums);
  }

 private:
  cudaStream_t queue_;
};

void plain_gradient(const shape& s, const device_batch& batch, const device_arrays& m, float* gradient,
                    cudaStream_t queue) {
  const operations enqueue(queue);
  const auto rows = batch.rows, inputs = s.features, width = s.hidden, outputs = s.classes;
  const float *w1 = m.parameters, *b1 = w1 + inputs * width, *w2 = b1 + width, *b2 = w2 + width * outputs;
  float *g1 = gradient, *gb1 = g1 + inputs * width, *g2 = gb1 + width, *gb2 = g2 + width * outputs;
  float *hidden = m.scratch, *hidden_gradient = hidden + rows * width,
        *logits = hidden_gradient + rows * width;
  enqueue.multiply_into(hidden, rows, width, inputs, {batch.features, inputs, 1}, {w1, width, 1});
  enqueue.bias_onto(hidden, b1, rows, width);
  enqueue.rectify(hidden, rows * width);
  enqueue.multiply_into(logits, rows, outputs, width, {hidden, width, 1}, {w2, outputs, 1});
  enqueue.bias_onto(logits, b2, rows, outputs);
  softmax_on_device(logits, batch.labels, rows, m.row_losses, queue);
  enqueue.multiply_into(g2, width, outputs, rows, {hidden, 1, width}, {logits, outputs, 1});
  enqueue.sum_columns(logits, rows, outputs, gb2);
  enqueue.multiply_into(hidden_gradient, rows, width, outputs, {logits, outputs, 1}, {w2, 1, outputs});
  relu_gradient_on_device(hidden, hidden_gradient, rows * width, queue);
  enqueue.multiply_into(g1, inputs, width, rows, {batch.features, 1, inputs}, {hidden_gradient, width, 1});
  enqueue.sum_columns(hidden_gradient, rows, width, gb1);
}

}  // namespace

std::size_t plain_device_floats(const shape& s, std::size_t rows) {
  return rows * (2 * s.hidden + s.classes) + s.parameters();
}

void plain_device_step(const shape& s, const device_batch& batch, float rate, const device_arrays& m,
                       cudaStream_t queue) {
  expects(s.classes == device_classes, "plain_device_step: ten classes");
  float* const own = m.scratch + batch.rows * (2 * s.hidden + s.classes);
  float* const gradient = m.gradient ? m.gradient : own;
  if (batch.rows == 0) fill_on_device(gradient, 0, s.parameters(), queue);
  if (batch.rows > 0) plain_gradient(s, batch, m, gradient, queue);
  descend_on_device(m.parameters, gradient, rate, m.updated, s.parameters(), queue);
}

}  // namespace ridge::mlp
