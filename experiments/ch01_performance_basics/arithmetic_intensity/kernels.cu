// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <cub/device/device_transform.cuh>

#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/quads.hpp>

#include "arithmetic_intensity.hpp"

namespace ridge::experiments::ch01_arithmetic_intensity {
namespace {

constexpr unsigned threads = 256;
constexpr unsigned each = 4;  // loads per thread in flight

// Operations [First, Last) of the chain, each rounded as on the host.
template <std::size_t First, std::size_t Last>
__device__ float apply(float x) {
  constexpr operation f = chain[First];
  const float y = __fadd_rn(__fmul_rn(f.scale, x), f.shift);
  if constexpr (First + 1 < Last) return apply<First + 1, Last>(y);
  return y;
}

template <std::size_t First, std::size_t Last>
__device__ float4 apply(float4 v) {
  return {apply<First, Last>(v.x), apply<First, Last>(v.y), apply<First, Last>(v.z), apply<First, Last>(v.w)};
}

// `target` may be `source`: each element is read and written by one thread.
template <std::size_t First, std::size_t Last>
__global__ void __launch_bounds__(threads) pass_by_one(const float* source, float* target, std::size_t n) {
  const std::size_t i = blockIdx.x * std::size_t{threads} + threadIdx.x;
  if (i < n) target[i] = apply<First, Last>(source[i]);
}

// Computes a block's share of n elements: each thread takes `each` of them, a block's width apart, and loads
// all before it stores the first.
template <std::size_t First, std::size_t Last, class T>
__device__ void pass_over(const T* source, T* target, std::size_t n) {
  const std::size_t first = blockIdx.x * std::size_t{threads * each} + threadIdx.x;
  if (first + (each - 1) * threads < n) {
    T x[each];
#pragma unroll
    for (unsigned u = 0; u < each; ++u) x[u] = source[first + u * threads];
#pragma unroll
    for (unsigned u = 0; u < each; ++u) target[first + u * threads] = apply<First, Last>(x[u]);
  } else {
    for (std::size_t i = first; i < n; i += threads) target[i] = apply<First, Last>(source[i]);
  }
}

template <std::size_t First, std::size_t Last>
__global__ void __launch_bounds__(threads) pass_unrolled(const float* source, float* target, std::size_t n) {
  pass_over<First, Last>(source, target, n);
}

template <std::size_t First, std::size_t Last>
__global__ void __launch_bounds__(threads) pass_by_vectors(const float* source, float* target, gpu::quads q) {
  pass_over<First, Last>(reinterpret_cast<const float4*>(source + q.head),
                         reinterpret_cast<float4*>(target + q.head), q.count);
  if (blockIdx.x != 0) return;
  for (std::size_t i = threadIdx.x; i < q.singles(); i += threads) {
    target[q.single(i)] = apply<First, Last>(source[q.single(i)]);
  }
}

using pass_of_elements = void (*)(const float*, float*, std::size_t);
using pass_of_vectors = void (*)(const float*, float*, gpu::quads);

void launch_vectors(pass_of_vectors pass, const float* source, output<float> target, stream queue) {
  if (target.empty()) return;
  const auto quads = gpu::quads_of(target.size(), {source, target.data()});
  const auto blocks = std::max(1U, gpu::blocks_for(quads.count, threads * each));
  gpu::launch(pass, {blocks, threads, 0, queue}, source, target.data(), quads);
}

struct whole_chain {
  __device__ float operator()(float x) const {
    for (const operation& f : {chain[0], chain[1], chain[2], chain[3]}) {
      x = __fadd_rn(__fmul_rn(f.scale, x), f.shift);
    }
    return x;
  }
};

}  // namespace

void launch_by_one(std::size_t index, const float* source, output<float> target, stream queue) {
  constexpr pass_of_elements passes[] = {pass_by_one<0, 1>, pass_by_one<1, 2>, pass_by_one<2, 3>,
                                         pass_by_one<3, 4>};
  const auto n = target.size();
  if (n == 0) return;
  gpu::launch(passes[index], {gpu::blocks_for(n, threads), threads, 0, queue}, source, target.data(), n);
}

void launch_unrolled(std::size_t index, const float* source, output<float> target, stream queue) {
  constexpr pass_of_elements passes[] = {pass_unrolled<0, 1>, pass_unrolled<1, 2>, pass_unrolled<2, 3>,
                                         pass_unrolled<3, 4>};
  const auto n = target.size();
  if (n == 0) return;
  gpu::launch(passes[index], {gpu::blocks_for(n, threads * each), threads, 0, queue}, source, target.data(),
              n);
}

void launch_by_vectors(std::size_t index, const float* source, output<float> target, stream queue) {
  constexpr pass_of_vectors passes[] = {pass_by_vectors<0, 1>, pass_by_vectors<1, 2>, pass_by_vectors<2, 3>,
                                        pass_by_vectors<3, 4>};
  launch_vectors(passes[index], source, target, queue);
}

void launch_two_by_vectors(std::size_t index, const float* source, output<float> target, stream queue) {
  launch_vectors(index == 0 ? pass_by_vectors<0, 2> : pass_by_vectors<2, 4>, source, target, queue);
}

void launch_all_by_vectors(const workload& w, stream queue) {
  launch_vectors(pass_by_vectors<0, 4>, w.source.data(), w.target, queue);
}

void launch_cub_transform(const workload& w, stream queue) {
  if (w.target.empty()) return;
  gpu::check(cub::DeviceTransform::Transform(w.source.data(), w.target.data(), w.target.size(), whole_chain{},
                                             static_cast<cudaStream_t>(queue)),
             "cub::DeviceTransform::Transform");
}

}  // namespace ridge::experiments::ch01_arithmetic_intensity
