// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/quads.hpp>

#include "coalescing.hpp"

namespace ridge::experiments::ch01_coalescing {
namespace {

constexpr unsigned threads = 256;
// 64 bytes per thread are 128 KiB in flight in a full multiprocessor; 48 KiB are needed to keep memory busy.
constexpr unsigned loads = 4;

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

__global__ void __launch_bounds__(threads) copy_vectors(const float* source, float* target, gpu::quads q) {
  const auto* from = reinterpret_cast<const float4*>(source + q.head);
  auto* to = reinterpret_cast<float4*>(target + q.head);
  const std::size_t first = blockIdx.x * std::size_t{threads * loads} + threadIdx.x;
  if (first + (loads - 1) * threads < q.count) {
    float4 v[loads];
#pragma unroll
    for (unsigned u = 0; u < loads; ++u) v[u] = __ldcs(from + first + u * threads);
#pragma unroll
    for (unsigned u = 0; u < loads; ++u) __stcs(to + first + u * threads, v[u]);
  } else {
    for (std::size_t i = first; i < q.count; i += threads) to[i] = from[i];
  }
  if (blockIdx.x != 0) return;
  for (std::size_t i = threadIdx.x; i < q.singles(); i += threads) target[q.single(i)] = source[q.single(i)];
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

// Copies element by element where source and target differ in their alignment to 16 bytes.
void launch_vectorized(const workload& w, stream queue) {
  if (w.source.empty()) return;
  const auto quads = gpu::quads_of(w.source.size(), {w.source.data(), w.target.data()});
  const auto blocks = std::max(1U, gpu::blocks_for(quads.count, threads * loads));
  gpu::launch(copy_vectors, {blocks, threads, 0, queue}, w.source.data(), w.target.data(), quads);
}

}  // namespace ridge::experiments::ch01_coalescing
