// SPDX-License-Identifier: Apache-2.0
#include <functional>

#include <ridge/gpu/transform.cuh>

#include "coalescing.hpp"

namespace ridge::experiments::ch01_coalescing {
namespace {

constexpr unsigned threads = 256;

// Row y of the grid takes the elements y, y + stride, ...
__global__ void __launch_bounds__(threads)
    copy_strided(const float* source, float* target, std::size_t n, std::size_t stride) {
  const std::size_t i = (blockIdx.x * std::size_t{threads} + threadIdx.x) * stride + blockIdx.y;
  if (i < n) target[i] = source[i];
}

__global__ void __launch_bounds__(threads)
    copy_contiguous(const float* source, float* target, std::size_t n) {
  const std::size_t i = blockIdx.x * std::size_t{threads} + threadIdx.x;
  if (i < n) target[i] = source[i];
}

}  // namespace

void launch_strided(const workload& w, stream queue) {
  const auto n = w.source.size();
  if (n == 0) return;
  const dim3 grid(gpu::blocks_for(gpu::blocks_for(n, w.stride), threads), as_unsigned(w.stride));
  gpu::launch(copy_strided, {grid, threads, 0, queue}, w.source.data(), w.target.data(), n, w.stride);
}

void launch_contiguous(const workload& w, stream queue) {
  const auto n = w.source.size();
  if (n == 0) return;
  gpu::launch(copy_contiguous, {gpu::blocks_for(n, threads), threads, 0, queue}, w.source.data(),
              w.target.data(), n);
}

void launch_vectorized(const workload& w, stream queue) {
  gpu::transform(std::identity(), w.source.size(), w.target.data(), queue, w.source.data());
}

}  // namespace ridge::experiments::ch01_coalescing
