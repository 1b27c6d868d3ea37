// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/quads.hpp>

#include "labelled_bottlenecks.hpp"

namespace ridge::experiments::ch08_labelled_bottlenecks {
namespace {

constexpr unsigned threads = 256, lanes = 32;

__device__ float apply(float x) { return fmaf(x, scale, shift); }
__device__ std::size_t thread_of_grid() { return blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; }

// Multiplies by one: time without a result.
__device__ float spin(float v, float unity, unsigned times) {
#pragma unroll 1
  for (unsigned k = 0; k < times; ++k) v *= unity;
  return v;
}

__global__ void __launch_bounds__(threads) dram(const float* source, float* target, gpu::quads q) {
  const std::size_t i = thread_of_grid();
  if (i < q.count) {
    const float4 v = __ldcs(reinterpret_cast<const float4*>(source + q.head) + i);
    __stcs(reinterpret_cast<float4*>(target + q.head) + i,
           float4{apply(v.x), apply(v.y), apply(v.z), apply(v.w)});
  }
  if (blockIdx.x != 0) return;
  for (std::size_t k = threadIdx.x; k < q.singles(); k += threads)
    target[q.single(k)] = apply(source[q.single(k)]);
}

// Reads each element 32 times. Volatile loads go to the second-level cache every time.
__global__ void __launch_bounds__(threads) l2(const float* source, float* target, std::size_t n) {
  const std::size_t i = thread_of_grid();
  if (i >= n) return;
  const volatile float* x = source + i;
  float v = 0;
  for (unsigned k = 0; k < 32; ++k) v = *x;
  target[i] = apply(v);
}

// One warp in a multiprocessor, one load on the way.
__global__ void __launch_bounds__(lanes) latency(const float* source, float* target, std::size_t n) {
#pragma unroll 1
  for (std::size_t i = thread_of_grid(); i < n; i += gridDim.x * std::size_t{lanes})
    target[i] = apply(source[i]);
}

// One lane after another.
__global__ void __launch_bounds__(threads)
    divergence(const float* source, float* target, std::size_t n, float unity) {
  const std::size_t i = thread_of_grid();
  if (i >= n) return;
  float v = source[i];
#pragma unroll 1
  for (unsigned turn = 0; turn < lanes; ++turn)
    if (threadIdx.x % lanes == turn) v = spin(v, unity, 16);
  target[i] = apply(v);
}

// All lanes of a warp meet in one bank.
__global__ void __launch_bounds__(threads) conflicts(const float* source, float* target, std::size_t n) {
  __shared__ float banks[threads * lanes];
  volatile float* own = banks + threadIdx.x * lanes;
  const std::size_t i = thread_of_grid();
  if (i >= n) return;
  float v = source[i];
#pragma unroll 1
  for (unsigned k = 0; k < 8; ++k) {
    *own = v;
    v = *own;
  }
  target[i] = apply(v);
}

// Blocks of equal shares, one more than fit at once.
constexpr unsigned wide = 1024;
constexpr std::size_t more_than_half = 120U << 10U;  // of the shared memory of a multiprocessor
__global__ void __launch_bounds__(wide)
    tail(const float* source, float* target, std::size_t n, std::size_t share, float unity) {
  const std::size_t end = min(n, (blockIdx.x + 1) * share);
#pragma unroll 1
  for (std::size_t i = blockIdx.x * share + threadIdx.x; i < end; i += wide)
    target[i] = apply(spin(source[i], unity, 256));
}

template <class... More>
void launch_words(void (*kernel)(const float*, float*, std::size_t, More...), const workload& w, stream queue,
                  More... more) {
  gpu::launch_each(kernel, w.source.size(), threads, queue, w.source.data(), w.target.data(), w.source.size(),
                   more...);
}

}  // namespace

void launch_dram(const workload& w, stream queue) {
  if (w.source.empty()) return;
  const auto q = gpu::quads_of(w.source.size(), {w.source.data(), w.target.data()});
  gpu::launch(dram, {std::max(1U, gpu::blocks_for(q.count, threads)), threads, 0, queue}, w.source.data(),
              w.target.data(), q);
}
void launch_l2(const workload& w, stream queue) { launch_words(l2, w, queue); }
void launch_latency(const workload& w, stream queue) {
  gpu::launch(latency, {gpu::multiprocessors(), lanes, 0, queue}, w.source.data(), w.target.data(),
              w.source.size());
}
void launch_divergence(const workload& w, stream queue) { launch_words(divergence, w, queue, w.unity); }
void launch_conflicts(const workload& w, stream queue) { launch_words(conflicts, w, queue); }
void launch_tail(const workload& w, stream queue) {
  const auto blocks = gpu::multiprocessors() + 1;
  gpu::allow_dynamic_shared_memory(tail, more_than_half);
  gpu::launch(tail, {blocks, wide, more_than_half, queue}, w.source.data(), w.target.data(), w.source.size(),
              (w.source.size() + blocks - 1) / blocks, w.unity);
}

}  // namespace ridge::experiments::ch08_labelled_bottlenecks
