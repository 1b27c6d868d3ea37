// SPDX-License-Identifier: Apache-2.0
#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/reduce.cuh>

#include "roofline_placement.hpp"

namespace ridge::experiments::ch01_roofline_placement::on_gpu {
namespace {

using gpu::most_of, gpu::over_block, gpu::over_warp, gpu::sum_of, gpu::warp_lanes;

constexpr unsigned threads = 256;
constexpr unsigned rows_of_block = threads / warp_lanes;

__global__ void __launch_bounds__(threads) add(const float* a, const float* b, float* c, std::size_t n) {
  const std::size_t i = blockIdx.x * std::size_t{threads} + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

__global__ void __launch_bounds__(threads)
    dot_of_block(const float* a, const float* b, float* partial, std::size_t n) {
  const std::size_t i = blockIdx.x * std::size_t{threads} + threadIdx.x;
  const float sum = over_block(i < n ? a[i] * b[i] : 0, sum_of());
  if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}

__global__ void __launch_bounds__(1024) sum_by_one_block(const float* source, float* target, std::size_t n) {
  float sum = 0;
  for (std::size_t i = threadIdx.x; i < n; i += blockDim.x) sum += source[i];
  sum = over_block(sum, sum_of());
  if (threadIdx.x == 0) *target = sum;
}

// One block per row, in the three passes of the definition.
__global__ void __launch_bounds__(threads) softmax_row(const float* source, float* target, std::size_t n) {
  source += blockIdx.x * n, target += blockIdx.x * n;
  float most = most_of::neutral, sum = 0;
  for (std::size_t i = threadIdx.x; i < n; i += threads) most = fmaxf(most, source[i]);
  most = over_block(most, most_of());
  for (std::size_t i = threadIdx.x; i < n; i += threads) sum += expf(source[i] - most);
  sum = over_block(sum, sum_of());
  for (std::size_t i = threadIdx.x; i < n; i += threads) target[i] = expf(source[i] - most) / sum;
}

__global__ void __launch_bounds__(threads) norm_row(const float* source, float* target, std::size_t n) {
  source += blockIdx.x * n, target += blockIdx.x * n;
  float sum = 0, squares = 0;
  for (std::size_t i = threadIdx.x; i < n; i += threads) sum += source[i];
  const float mean = over_block(sum, sum_of()) / as_float(n);
  for (std::size_t i = threadIdx.x; i < n; i += threads) squares += (source[i] - mean) * (source[i] - mean);
  const float variance = over_block(squares, sum_of()) / as_float(n);
  const float scale = 1 / sqrtf(variance + norm_epsilon);
  for (std::size_t i = threadIdx.x; i < n; i += threads) target[i] = (source[i] - mean) * scale;
}

__global__ void __launch_bounds__(threads)
    gemv_row_by_warp(const float* a, const float* b, float* c, std::size_t n) {
  const std::size_t row = blockIdx.x * std::size_t{rows_of_block} + threadIdx.x / warp_lanes;
  if (row >= n) return;
  float sum = 0;
  for (std::size_t j = threadIdx.x % warp_lanes; j < n; j += warp_lanes) sum += a[row * n + j] * b[j];
  sum = over_warp(sum, sum_of());
  if (threadIdx.x % warp_lanes == 0) c[row] = sum;
}

__global__ void __launch_bounds__(threads)
    gemm_by_element(const float* a, const float* b, float* c, std::size_t n) {
  const std::size_t column = blockIdx.x * std::size_t{warp_lanes} + threadIdx.x;
  const std::size_t row = blockIdx.y * std::size_t{rows_of_block} + threadIdx.y;
  if (row >= n || column >= n) return;
  float sum = 0;
  for (std::size_t p = 0; p < n; ++p) sum += a[row * n + p] * b[p * n + column];
  c[row * n + column] = sum;
}

}  // namespace

void plain_add(const workload& w, stream queue) {
  const auto n = w.c.size();
  if (n == 0) return;
  gpu::launch(add, {gpu::blocks_for(n, threads), threads, 0, queue}, w.a.data(), w.b.data(), w.c.data(), n);
}

std::size_t plain_dot_blocks(std::size_t elements) { return gpu::blocks_for(elements, threads); }

void plain_dot(const workload& w, std::span<float> partial, stream queue) {
  const auto n = w.a.size();
  if (n != 0) {
    const auto blocks = as_unsigned(partial.size());
    gpu::launch(dot_of_block, {blocks, threads, 0, queue}, w.a.data(), w.b.data(), partial.data(), n);
  }
  gpu::launch(sum_by_one_block, {1, 1024, 0, queue}, partial.data(), w.c.data(), partial.size());
}

void plain_softmax(const workload& w, stream queue) {
  if (w.n == 0) return;
  gpu::launch(softmax_row, {as_unsigned(w.n), threads, 0, queue}, w.a.data(), w.c.data(), w.n);
}

void plain_norm(const workload& w, stream queue) {
  if (w.n == 0) return;
  gpu::launch(norm_row, {as_unsigned(w.n), threads, 0, queue}, w.a.data(), w.c.data(), w.n);
}

void plain_gemv(const workload& w, stream queue) {
  if (w.n == 0) return;
  gpu::launch(gemv_row_by_warp, {gpu::blocks_for(w.n, rows_of_block), threads, 0, queue}, w.a.data(),
              w.b.data(), w.c.data(), w.n);
}

void plain_gemm(const workload& w, stream queue) {
  if (w.n == 0) return;
  const dim3 grid(gpu::blocks_for(w.n, warp_lanes), gpu::blocks_for(w.n, rows_of_block)),
      block(warp_lanes, rows_of_block);
  gpu::launch(gemm_by_element, {grid, block, 0, queue}, w.a.data(), w.b.data(), w.c.data(), w.n);
}

}  // namespace ridge::experiments::ch01_roofline_placement::on_gpu
