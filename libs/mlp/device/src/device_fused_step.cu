// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <ridge/base/expects.hpp>
#include <ridge/gpu/launch.cuh>

#include "device_layers.hpp"

namespace ridge::mlp {
namespace {

constexpr int tile = 64, slice = 16, threads = 256, pitch = tile + 4;
constexpr int warps = threads / 32;
constexpr std::size_t most_parts = 32, least_rows_of_part = 64;

// The batch divided into parts, for products over its rows whose sums alone are too few to fill the GPU.
struct parts {
  std::size_t rows_each, count;
};
parts parts_of(std::size_t rows) {
  if (rows == 0) return {slice, 0};
  const auto even = (rows + most_parts - 1) / most_parts;
  const auto each = std::max(least_rows_of_part, (even + slice - 1) / slice * slice);
  return {each, (rows + each - 1) / each};
}

__device__ void four(const float* row, int i, float (&values)[4]) {
  const float4 v = *reinterpret_cast<const float4*>(row + 4 * i);
  values[0] = v.x, values[1] = v.y, values[2] = v.z, values[3] = v.w;
}

using slice_memory = float[slice][pitch];

// Adds the slice's products of rows 4 y + i of a and columns 4 x + j of b to sum[i][j].
__device__ void multiply(const slice_memory& a, const slice_memory& b, float (&sum)[4][4]) {
  const int x = threadIdx.x % 16, y = threadIdx.x / 16;
#pragma unroll
  for (int t = 0; t < slice; ++t) {
    float left[4], right[4];
    four(a[t], y, left);
    four(b[t], x, right);
#pragma unroll
    for (int i = 0; i < 4; ++i) {
#pragma unroll
      for (int j = 0; j < 4; ++j) sum[i][j] = fmaf(left[i], right[j], sum[i][j]);
    }
  }
}

// Fetches the terms from `first_term` on of a tile's columns, from `column` on, of a row-major matrix of
// `depth` rows; terms and columns outside the matrix are 0.
__device__ void fetch_columns(const float* m, std::size_t width, std::size_t column, std::size_t first_term,
                              std::size_t depth, slice_memory& fetched) {
  const std::size_t i = threadIdx.x % tile;
#pragma unroll
  for (int r = 0; r < slice; r += threads / tile) {
    const std::size_t t = r + threadIdx.x / tile;
    const bool inside = column + i < width && first_term + t < depth;
    fetched[t][i] = inside ? m[(first_term + t) * width + column + i] : 0.0F;
  }
}

// Fetches the terms from `first_term` on of a tile's rows, from `row` on, of a row-major matrix of `depth`
// columns; terms and rows outside the matrix are 0.
__device__ void fetch_rows(const float* m, std::size_t rows, std::size_t row, std::size_t first_term,
                           std::size_t depth, slice_memory& fetched) {
  const std::size_t t = threadIdx.x % slice;
#pragma unroll
  for (int r = 0; r < tile; r += threads / slice) {
    const std::size_t i = r + threadIdx.x / slice;
    const bool inside = row + i < rows && first_term + t < depth;
    fetched[t][i] = inside ? m[(row + i) * depth + first_term + t] : 0.0F;
  }
}

// y (rows x width) = relu(x (rows x depth) w (depth x width) + bias)
__global__ void __launch_bounds__(threads)
    hidden_layer(const float* x, const float* w, const float* bias, float* y, std::size_t rows,
                 std::size_t width, std::size_t depth) {
  __shared__ __align__(16) slice_memory a, b;
  const std::size_t row = blockIdx.y * std::size_t{tile}, column = blockIdx.x * std::size_t{tile};
  float sum[4][4] = {};
  for (std::size_t first_term = 0; first_term < depth; first_term += slice) {
    fetch_rows(x, rows, row, first_term, depth, a);
    fetch_columns(w, width, column, first_term, depth, b);
    __syncthreads();
    multiply(a, b, sum);
    __syncthreads();
  }
  const std::size_t r = row + threadIdx.x / 16 * 4, c = column + threadIdx.x % 16 * 4;
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      if (r + i < rows && c + j < width) y[(r + i) * width + c + j] = fmaxf(sum[i][j] + bias[c + j], 0);
    }
  }
}

// One part's share of a layer's gradient, (inputs + 1) x outputs, in the order of the layer's weights and
// bias in memory: the bias is the weight of an input that is always 1.
__global__ void __launch_bounds__(threads)
    layer_gradient(const float* x, const float* dy, float* parts_at, std::size_t part_floats,
                   std::size_t rows, std::size_t rows_of_part, std::size_t inputs, std::size_t outputs) {
  __shared__ __align__(16) slice_memory a, b;
  const std::size_t row = blockIdx.y * std::size_t{tile}, column = blockIdx.x * std::size_t{tile};
  const std::size_t begin = blockIdx.z * rows_of_part, end = min(begin + rows_of_part, rows);
  float sum[4][4] = {};
  for (std::size_t first_term = begin; first_term < end; first_term += slice) {
    fetch_columns(x, inputs, row, first_term, end, a);
    fetch_columns(dy, outputs, column, first_term, end, b);
    __syncthreads();
    if (row <= inputs && inputs < row + tile && threadIdx.x < slice) a[threadIdx.x][inputs - row] = 1;
    __syncthreads();
    multiply(a, b, sum);
    __syncthreads();
  }
  float* const part = parts_at + blockIdx.z * part_floats;
  const std::size_t r = row + threadIdx.x / 16 * 4, c = column + threadIdx.x % 16 * 4;
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      if (r + i <= inputs && c + j < outputs) part[(r + i) * outputs + c + j] = sum[i][j];
    }
  }
}

struct head_arguments {
  const float* hidden;
  const float* w;  // width x device_classes, followed by the bias
  const std::uint8_t* labels;
  float* hidden_gradient;
  float* logit_gradient;
  float* row_losses;
  std::size_t rows, width;
};

// Computes the logits of a row in every lane of its warp.
__device__ void logits_of(const head_arguments& arguments, const float* h, const float* w,
                          float (&z)[device_classes]) {
  for (float& v : z) v = 0;
  for (std::size_t j = threadIdx.x % 32; j < arguments.width; j += 32) {
#pragma unroll
    for (int c = 0; c < device_classes; ++c) z[c] = fmaf(h[j], w[j * device_classes + c], z[c]);
  }
#pragma unroll
  for (int c = 0; c < device_classes; ++c) {
    for (int lanes = 16; lanes > 0; lanes /= 2) z[c] += __shfl_xor_sync(0xFFFFFFFFu, z[c], lanes);
    z[c] += w[arguments.width * device_classes + c];
  }
}

// Replaces z by the gradient of the row's share of the mean loss; returns the row's loss.
__device__ float softmax_gradient(float (&z)[device_classes], int label, float share) {
  float top = z[0], target = 0, sum = 0;
#pragma unroll
  for (int c = 1; c < device_classes; ++c) top = fmaxf(top, z[c]);
#pragma unroll
  for (int c = 0; c < device_classes; ++c) {
    if (c == label) target = z[c] - top;
    z[c] = expf(z[c] - top);
    sum += z[c];
  }
#pragma unroll
  for (int c = 0; c < device_classes; ++c) z[c] = share * (z[c] / sum - (c == label ? 1.0F : 0.0F));
  return logf(sum) - target;
}

// Second layer, softmax and the error of the hidden layer; each warp computes one row at a time.
__global__ void __launch_bounds__(threads, 2) head(const head_arguments arguments) {
  extern __shared__ float w[];
  for (std::size_t i = threadIdx.x; i < (arguments.width + 1) * device_classes; i += threads)
    w[i] = arguments.w[i];
  __syncthreads();
  const int lane = threadIdx.x % 32;
  const float share = 1 / static_cast<float>(arguments.rows);
  const std::size_t all_warps = std::size_t{gridDim.x} * warps;
  for (std::size_t row = blockIdx.x * std::size_t{warps} + threadIdx.x / 32; row < arguments.rows;
       row += all_warps) {
    const float* const h = arguments.hidden + row * arguments.width;
    float z[device_classes];
    logits_of(arguments, h, w, z);
    const float loss = softmax_gradient(z, arguments.labels[row], share);
    if (lane == 0 && arguments.row_losses) arguments.row_losses[row] = loss;
#pragma unroll
    for (int c = 0; c < device_classes; ++c) {
      if (lane == c) arguments.logit_gradient[row * device_classes + c] = z[c];
    }
    for (std::size_t j = lane; j < arguments.width; j += 32) {
      float error = 0;
#pragma unroll
      for (int c = 0; c < device_classes; ++c) error = fmaf(z[c], w[j * device_classes + c], error);
      arguments.hidden_gradient[row * arguments.width + j] = h[j] > 0 ? error : 0.0F;
    }
  }
}

__global__ void add_parts_and_descend(const float* parts_at, std::size_t count, const float* parameters,
                                      float rate, float* updated, float* gradient, std::size_t n) {
  const std::size_t i = blockIdx.x * std::size_t{layer_threads} + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (std::size_t part = 0; part < count; ++part) sum += parts_at[part * n + i];
  if (gradient) gradient[i] = sum;
  updated[i] = parameters[i] - rate * sum;
}

// Four blocks per multiprocessor of the largest GPU; each block reads the weights once.
constexpr unsigned most_head_blocks = 528;

void forward_and_error(const shape& s, const device_batch& batch, const device_arrays& m,
                       const head_arguments& arguments, float* hidden, cudaStream_t queue) {
  const float* const bias = m.parameters + s.features * s.hidden;
  const dim3 tiles(gpu::blocks_for(s.hidden, tile), gpu::blocks_for(batch.rows, tile));
  gpu::launch(hidden_layer, {tiles, threads, 0, queue}, batch.features, m.parameters, bias, hidden,
              batch.rows, s.hidden, s.features);
  const auto blocks = std::min(most_head_blocks, gpu::blocks_for(batch.rows, warps));
  const auto bytes = (s.hidden + 1) * device_classes * sizeof(float);
  gpu::launch(head, {blocks, threads, bytes, queue}, arguments);
}

void gradients(const shape& s, const device_batch& batch, const head_arguments& arguments, float* parts_at,
               cudaStream_t queue) {
  const auto split = parts_of(batch.rows);
  const auto n = s.parameters();
  const auto z = static_cast<unsigned>(split.count);
  gpu::launch(
      layer_gradient,
      {dim3(gpu::blocks_for(s.hidden, tile), gpu::blocks_for(s.features + 1, tile), z), threads, 0, queue},
      batch.features, arguments.hidden_gradient, parts_at, n, batch.rows, split.rows_each, s.features,
      s.hidden);
  gpu::launch(
      layer_gradient,
      {dim3(gpu::blocks_for(s.classes, tile), gpu::blocks_for(s.hidden + 1, tile), z), threads, 0, queue},
      arguments.hidden, arguments.logit_gradient, parts_at + (s.features + 1) * s.hidden, n, batch.rows,
      split.rows_each, s.hidden, s.classes);
}

}  // namespace

std::size_t fused_device_floats(const shape& s, std::size_t rows) {
  return rows * (2 * s.hidden + s.classes) + parts_of(rows).count * s.parameters();
}

void fused_device_step(const shape& s, const device_batch& batch, float rate, const device_arrays& m,
                       cudaStream_t queue) {
  expects(s.classes == device_classes, "fused_device_step: ten classes");
  const auto rows = batch.rows;
  float *hidden = m.scratch, *hidden_gradient = hidden + rows * s.hidden;
  float *logits = hidden_gradient + rows * s.hidden, *parts_at = logits + rows * s.classes;
  if (rows > 0) {
    const float* const second = m.parameters + (s.features + 1) * s.hidden;
    const head_arguments arguments{hidden, second,       batch.labels, hidden_gradient,
                                   logits, m.row_losses, rows,         s.hidden};
    forward_and_error(s, batch, m, arguments, hidden, queue);
    gradients(s, batch, arguments, parts_at, queue);
  }
  gpu::launch(add_parts_and_descend,
              {gpu::blocks_for(s.parameters(), layer_threads), layer_threads, 0, queue}, parts_at,
              parts_of(rows).count, m.parameters, rate, m.updated, m.gradient, s.parameters());
}

}  // namespace ridge::mlp
