// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>

#include <ridge/gpu/check.hpp>
#include <ridge/gpu/quads.hpp>

#include "arithmetic_intensity.hpp"
#include "transform.hpp"

namespace ridge::experiments::ch01_arithmetic_intensity {
namespace {

constexpr unsigned threads = 256;
constexpr unsigned each = 4;  // loads of a thread on the way

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

// `to` may be `from`: each element is read and written by one thread.
template <std::size_t First, std::size_t Last>
__global__ void __launch_bounds__(threads) pass_by_one(const float* from, float* to, std::size_t n) {
  const std::size_t i = blockIdx.x * std::size_t{threads} + threadIdx.x;
  if (i < n) to[i] = apply<First, Last>(from[i]);
}

// A block's share of n elements: each thread takes `each` of them that lie a block's width apart, all loaded
// before the first is stored.
template <std::size_t First, std::size_t Last, class T>
__device__ void pass_over(const T* from, T* to, std::size_t n) {
  const std::size_t first = blockIdx.x * std::size_t{threads * each} + threadIdx.x;
  if (first + (each - 1) * threads < n) {
    T x[each];
#pragma unroll
    for (unsigned u = 0; u < each; ++u) x[u] = from[first + u * threads];
#pragma unroll
    for (unsigned u = 0; u < each; ++u) to[first + u * threads] = apply<First, Last>(x[u]);
  } else {
    for (std::size_t i = first; i < n; i += threads) to[i] = apply<First, Last>(from[i]);
  }
}

template <std::size_t First, std::size_t Last>
__global__ void __launch_bounds__(threads) pass_unrolled(const float* from, float* to, std::size_t n) {
  pass_over<First, Last>(from, to, n);
}

template <std::size_t First, std::size_t Last>
__global__ void __launch_bounds__(threads) pass_by_vectors(const float* from, float* to, gpu::quads q) {
  pass_over<First, Last>(reinterpret_cast<const float4*>(from + q.head),
                         reinterpret_cast<float4*>(to + q.head), q.count);
  if (blockIdx.x != 0) return;
  for (std::size_t i = threadIdx.x; i < q.singles(); i += threads) {
    to[q.single(i)] = apply<First, Last>(from[q.single(i)]);
  }
}

unsigned blocks_for(std::size_t n, unsigned per_block) {
  return static_cast<unsigned>((n + per_block - 1) / per_block);
}

template <std::size_t First, std::size_t Last>
void launch_by_one(const float* from, output<float> to, call& c) {
  pass_by_one<First, Last>
      <<<blocks_for(to.size(), threads), threads, 0, c.queue()>>>(from, to.data(), to.size());
  gpu::check_launch("pass_by_one");
}

template <std::size_t First, std::size_t Last>
void launch_unrolled(const float* from, output<float> to, call& c) {
  pass_unrolled<First, Last>
      <<<blocks_for(to.size(), threads * each), threads, 0, c.queue()>>>(from, to.data(), to.size());
  gpu::check_launch("pass_unrolled");
}

template <std::size_t First, std::size_t Last>
void launch_by_vectors(const float* from, output<float> to, call& c) {
  const auto q = gpu::quads_of(to.size(), {from, to.data()});
  const auto blocks = std::max(1U, blocks_for(q.count, threads * each));
  pass_by_vectors<First, Last><<<blocks, threads, 0, c.queue()>>>(from, to.data(), q);
  gpu::check_launch("pass_by_vectors");
}

void four_passes(workload& w, call& c) {
  if (w.target.empty()) return;
  launch_by_one<0, 1>(w.source.data(), w.target, c);
  launch_by_one<1, 2>(w.target.data(), w.target, c);
  launch_by_one<2, 3>(w.target.data(), w.target, c);
  launch_by_one<3, 4>(w.target.data(), w.target, c);
}

void unrolled(workload& w, call& c) {
  if (w.target.empty()) return;
  launch_unrolled<0, 1>(w.source.data(), w.target, c);
  launch_unrolled<1, 2>(w.target.data(), w.target, c);
  launch_unrolled<2, 3>(w.target.data(), w.target, c);
  launch_unrolled<3, 4>(w.target.data(), w.target, c);
}

void simd(workload& w, call& c) {
  if (w.target.empty()) return;
  launch_by_vectors<0, 1>(w.source.data(), w.target, c);
  launch_by_vectors<1, 2>(w.target.data(), w.target, c);
  launch_by_vectors<2, 3>(w.target.data(), w.target, c);
  launch_by_vectors<3, 4>(w.target.data(), w.target, c);
}

void two_a_pass(workload& w, call& c) {
  if (w.target.empty()) return;
  launch_by_vectors<0, 2>(w.source.data(), w.target, c);
  launch_by_vectors<2, 4>(w.target.data(), w.target, c);
}

void fused(workload& w, call& c) {
  if (!w.target.empty()) launch_by_vectors<0, 4>(w.source.data(), w.target, c);
}

void with_cub(workload& w, call& c) {
  if (!w.target.empty()) transform_by_cub(w.source, w.target, c.queue());
}

std::function<double(const problem&)> passes(double count) {
  return [count](const problem& p) { return count * 8 * p.real("elements"); };
}

}  // namespace

ladder<workload> cuda() {
  return {
      {.name = "four_passes",
       .is = role::baseline,
       .idea = "a kernel an operation, an element a thread",
       .run = four_passes,
       .traffic = passes(4)},
      {.name = "unrolled",
       .idea = "four elements a thread: more loads on the way",
       .run = unrolled,
       .traffic = passes(4)},
      {.name = "simd", .idea = "16 bytes a load, four loads a thread", .run = simd, .traffic = passes(4)},
      {.name = "two_a_pass", .idea = "half the passes", .run = two_a_pass, .traffic = passes(2)},
      {.name = "fused", .idea = "one pass: only the compulsory bytes", .run = fused, .traffic = passes(1)},
      {.name = "cub",
       .is = role::comparator,
       .idea = "cub::DeviceTransform with the whole chain",
       .run = with_cub,
       .traffic = passes(1)},
  };
}

}  // namespace ridge::experiments::ch01_arithmetic_intensity
