// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/quads.hpp>

// Elementwise passes over arrays of floats at the bandwidth of memory: copies, sums, scaling.
namespace ridge::gpu {

// f of the first, second, third and fourth elements of vectors.
template <class F, class... Vectors>
__device__ float4 apply_to_quads(F f, Vectors... v) {
  return {f(v.x...), f(v.y...), f(v.z...), f(v.w...)};
}

// target[i] = f(sources[i]...) for the elements that `q` splits: a block a tile of `Threads * Loads` vectors
// of 16 bytes, all blocks together the single elements. A thread loads `Loads` vectors of each array
// before it stores the first.
template <unsigned Threads, unsigned Loads, class F, class... Sources>
__global__ void __launch_bounds__(Threads)
    transform_quads(F f, quads q, float* target, const Sources*... sources) {
  auto* results = reinterpret_cast<float4*>(target + q.head);
  const auto quad_of = [&q](const float* source, std::size_t i) {
    return reinterpret_cast<const float4*>(source + q.head)[i];
  };
  const std::size_t first = blockIdx.x * std::size_t{Threads * Loads} + threadIdx.x;
  if (first + (Loads - 1) * Threads < q.count) {
    float4 v[Loads][sizeof...(Sources)];
#pragma unroll
    for (unsigned u = 0; u < Loads; ++u) {
      unsigned s = 0;
      ((v[u][s++] = quad_of(sources, first + u * Threads)), ...);
    }
#pragma unroll
    for (unsigned u = 0; u < Loads; ++u) {
      [&]<std::size_t... S>(std::index_sequence<S...>) {
        results[first + u * Threads] = apply_to_quads(f, v[u][S]...);
      }(std::index_sequence_for<Sources...>());
    }
  } else {
    for (std::size_t i = first; i < q.count; i += Threads) {
      results[i] = apply_to_quads(f, quad_of(sources, i)...);
    }
  }
  const std::size_t step = gridDim.x * std::size_t{Threads};
  for (std::size_t i = blockIdx.x * std::size_t{Threads} + threadIdx.x; i < q.singles(); i += step) {
    target[q.single(i)] = f(sources[q.single(i)]...);
  }
}

// Enqueues target[i] = f(sources[i]...) for `n` elements on `stream`. The target may be one of the sources.
// Works element by element where the arrays differ in their alignment to 16 bytes.
//   gpu::transform(std::plus<float>(), n, sum, queue, left, right);
// The default shape, one vector a thread in the largest blocks and no cache hint, was the fastest of 938
// configurations on an H100 for copies and sums: blocks that start in order keep what is read at one time
// close together.
template <unsigned Threads = 1024, unsigned Loads = 1, class F, class... Sources>
static void transform(F f, std::size_t n, float* target, cudaStream_t stream, const Sources*... sources) {
  if (n == 0) return;
  const auto q = quads_of(n, {target, sources...});
  const auto blocks = std::max(blocks_for(q.count, Threads * Loads), blocks_for(q.singles(), Threads));
  launch(transform_quads<Threads, Loads, F, Sources...>, {blocks, Threads, 0, stream}, f, q, target,
         sources...);
}

}  // namespace ridge::gpu
