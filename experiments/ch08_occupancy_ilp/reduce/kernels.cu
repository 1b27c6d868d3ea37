// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <ridge/gpu/check.hpp>
#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/ptx/load_once.cuh>
#include <ridge/gpu/quads.hpp>
#include <ridge/gpu/reduce.cuh>

#include "reduce.hpp"

namespace ridge::experiments::ch08_reduce {
namespace {

constexpr unsigned threads = 1024;
constexpr unsigned loads = 8;  // of 16 bytes in flight per thread: 256 KiB in a multiprocessor
constexpr std::size_t quads_of_block = std::size_t{threads} * loads;

__device__ float term(const float* terms, std::size_t n) {
  const std::size_t i = blockIdx.x * std::size_t{threads} + threadIdx.x;
  return i < n ? terms[i] : 0;
}

__global__ void __launch_bounds__(threads) add_by_atomics(const float* terms, std::size_t n, float* sum) {
  const float of_warp = gpu::over_warp(term(terms, n), gpu::sum_of());
  if (threadIdx.x % gpu::warp_lanes == 0) atomicAdd(sum, of_warp);
}

__global__ void __launch_bounds__(threads) add_by_tree(const float* terms, std::size_t n, float* sum) {
  const float of_block = gpu::over_block(term(terms, n), gpu::sum_of());
  if (threadIdx.x == 0) atomicAdd(sum, of_block);
}

__device__ float sum4(float4 v) { return (v.x + v.y) + (v.z + v.w); }

// Block b takes quads_of_block vectors from b * quads_of_block on.
__device__ float sum_of_vectors(const float4* terms, std::size_t count) {
  std::size_t i = blockIdx.x * quads_of_block + threadIdx.x;
  float total = 0;
  if (i + (loads - 1) * threads < count) {
    float4 v[loads];
#pragma unroll
    for (unsigned u = 0; u < loads; ++u) v[u] = gpu::ptx::ld_global_nc_once(terms + i + u * threads);
#pragma unroll
    for (unsigned u = 0; u < loads; ++u) total += sum4(v[u]);
  } else {
    for (; i < count; i += threads) total += sum4(terms[i]);
  }
  return total;
}

__global__ void __launch_bounds__(threads)
    add_vectors(const float* terms, gpu::quads q, float* sum, float* partial, unsigned* finished) {
  float total = sum_of_vectors(reinterpret_cast<const float4*>(terms + q.head), q.count);
  if (blockIdx.x == 0) {
    for (std::size_t i = threadIdx.x; i < q.singles(); i += threads) total += terms[q.single(i)];
  }
  const float of_block = gpu::over_block(total, gpu::sum_of());
  if (threadIdx.x == 0) partial[blockIdx.x] = of_block;
  if (!gpu::last_to_finish(finished)) return;
  total = 0;
  for (unsigned i = threadIdx.x; i < gridDim.x; i += threads) total += __ldcg(partial + i);
  total = gpu::over_block(total, gpu::sum_of());
  if (threadIdx.x == 0) *sum = total;
}

template <class Kernel>
void launch_into_zero(Kernel kernel, const workload& w, stream queue) {
  gpu::check(cudaMemsetAsync(w.sum.data(), 0, sizeof(float), queue), "cudaMemsetAsync of a sum");
  gpu::launch_each(kernel, w.terms.size(), threads, queue, w.terms.data(), w.terms.size(), w.sum.data());
}

unsigned blocks_of(std::size_t quads) { return std::max(1U, gpu::blocks_for(quads, quads_of_block)); }

}  // namespace

void launch_atomics(const workload& w, stream queue) { launch_into_zero(add_by_atomics, w, queue); }

void launch_block_tree(const workload& w, stream queue) { launch_into_zero(add_by_tree, w, queue); }

std::size_t partial_sums(std::size_t terms) { return blocks_of(terms / 4); }

void launch_vectors(const workload& w, std::span<float> partial, unsigned* finished, stream queue) {
  const auto quads = gpu::quads_of(w.terms.size(), {w.terms.data()});
  gpu::launch(add_vectors, {blocks_of(quads.count), threads, 0, queue}, w.terms.data(), quads, w.sum.data(),
              partial.data(), finished);
}

}  // namespace ridge::experiments::ch08_reduce
