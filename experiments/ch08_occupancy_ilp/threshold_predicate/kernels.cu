// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/quads.hpp>

#include "threshold_predicate.hpp"

namespace ridge::experiments::ch08_threshold_predicate {
namespace {

constexpr unsigned threads = 256;

__global__ void __launch_bounds__(threads) branch(const float* source, float* target, std::size_t n) {
  const std::size_t i = blockIdx.x * std::size_t{threads} + threadIdx.x;
  if (i >= n) return;
  if (source[i] > threshold)
    target[i] = above(source[i]);
  else
    target[i] = below(source[i]);
}

__device__ float select(float x) {
  const float high = above(x), low = below(x);
  return x > threshold ? high : low;
}

__global__ void __launch_bounds__(threads) predicated(const float* source, float* target, std::size_t n) {
  const std::size_t i = blockIdx.x * std::size_t{threads} + threadIdx.x;
  if (i < n) target[i] = select(source[i]);
}

__global__ void __launch_bounds__(threads) vectorized(const float* source, float* target, gpu::quads q) {
  const std::size_t i = blockIdx.x * std::size_t{threads} + threadIdx.x;
  if (i < q.count) {
    const float4 v = __ldcs(reinterpret_cast<const float4*>(source + q.head) + i);
    __stcs(reinterpret_cast<float4*>(target + q.head) + i,
           float4{select(v.x), select(v.y), select(v.z), select(v.w)});
  }
  if (blockIdx.x != 0) return;
  for (std::size_t k = threadIdx.x; k < q.singles(); k += threads)
    target[q.single(k)] = select(source[q.single(k)]);
}

void launch_words(void (*kernel)(const float*, float*, std::size_t), const workload& w, stream queue) {
  gpu::launch_each(kernel, w.source.size(), threads, queue, w.source.data(), w.target.data(),
                   w.source.size());
}

}  // namespace

void launch_branch(const workload& w, stream queue) { launch_words(branch, w, queue); }
void launch_predicated(const workload& w, stream queue) { launch_words(predicated, w, queue); }
void launch_vectorized(const workload& w, stream queue) {
  if (w.source.empty()) return;
  const auto q = gpu::quads_of(w.source.size(), {w.source.data(), w.target.data()});
  gpu::launch(vectorized, {std::max(1U, gpu::blocks_for(q.count, threads)), threads, 0, queue},
              w.source.data(), w.target.data(), q);
}

}  // namespace ridge::experiments::ch08_threshold_predicate
