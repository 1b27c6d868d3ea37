// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <cub/device/device_transform.cuh>
#include <cuda/std/tuple>

#include <ridge/gpu/check.hpp>
#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/quads.hpp>

#include "fused_l2norm.hpp"

namespace ridge::experiments::ch09_fused_l2norm {
namespace {

constexpr unsigned threads = 512;

struct square {
  __device__ float operator()(float v) const { return v * v; }
};
struct sum {
  __device__ float operator()(float a, float b) const { return a + b; }
};
struct root {
  __device__ float operator()(float v) const { return sqrtf(v); }
};
struct length_of {
  __device__ float operator()(float x, float y) const { return sqrtf(x * x + y * y); }
};

template <class Operation>
__global__ void __launch_bounds__(threads)
    map(const float* x, float* target, std::size_t n, Operation operation) {
  const std::size_t i = blockIdx.x * std::size_t{threads} + threadIdx.x;
  if (i < n) target[i] = operation(x[i]);
}

template <class Operation>
__global__ void __launch_bounds__(threads)
    combine(const float* x, const float* y, float* target, std::size_t n, Operation operation) {
  const std::size_t i = blockIdx.x * std::size_t{threads} + threadIdx.x;
  if (i < n) target[i] = operation(x[i], y[i]);
}

__global__ void __launch_bounds__(threads)
    lengths_by_vectors(const float* x, const float* y, float* target, gpu::quads q) {
  const std::size_t i = blockIdx.x * std::size_t{threads} + threadIdx.x;
  const length_of length{};
  if (i < q.count) {
    const float4 a = __ldcs(reinterpret_cast<const float4*>(x + q.head) + i);
    const float4 b = __ldcs(reinterpret_cast<const float4*>(y + q.head) + i);
    __stcs(reinterpret_cast<float4*>(target + q.head) + i,
           make_float4(length(a.x, b.x), length(a.y, b.y), length(a.z, b.z), length(a.w, b.w)));
  }
  if (blockIdx.x != 0) return;
  for (std::size_t s = threadIdx.x; s < q.singles(); s += threads)
    target[q.single(s)] = length(x[q.single(s)], y[q.single(s)]);
}

gpu::launch_shape thread_an_element(const workload& w, stream queue) {
  return {gpu::blocks_for(w.x.size(), threads), threads, 0, queue};
}

template <class Inputs, class Operation>
void transform(Inputs inputs, float* target, std::size_t n, Operation operation, stream queue) {
  gpu::check(cub::DeviceTransform::Transform(inputs, target, static_cast<long long>(n), operation, queue),
             "cub::DeviceTransform::Transform");
}

}  // namespace

void launch_four(const workload& w, std::span<float> squares, stream queue) {
  const auto n = w.x.size();
  if (n == 0) return;
  const auto shape = thread_an_element(w, queue);
  float *const xx = squares.data(), *const yy = xx + n;
  gpu::launch(map<square>, shape, w.x.data(), xx, n, square{});
  gpu::launch(map<square>, shape, w.y.data(), yy, n, square{});
  gpu::launch(combine<sum>, shape, static_cast<const float*>(xx), static_cast<const float*>(yy), xx, n,
              sum{});
  gpu::launch(map<root>, shape, static_cast<const float*>(xx), w.length.data(), n, root{});
}

void launch_one(const workload& w, stream queue) {
  if (w.x.empty()) return;
  gpu::launch(combine<length_of>, thread_an_element(w, queue), w.x.data(), w.y.data(), w.length.data(),
              w.x.size(), length_of{});
}

// Element by element where the arrays differ in their alignment to 16 bytes.
void launch_vectors(const workload& w, stream queue) {
  if (w.x.empty()) return;
  const auto quads = gpu::quads_of(w.x.size(), {w.x.data(), w.y.data(), w.length.data()});
  gpu::launch(lengths_by_vectors, {std::max(1U, gpu::blocks_for(quads.count, threads)), threads, 0, queue},
              w.x.data(), w.y.data(), w.length.data(), quads);
}

void launch_cub_chain(const workload& w, std::span<float> squares, stream queue) {
  const auto n = w.x.size();
  if (n == 0) return;
  float *const xx = squares.data(), *const yy = xx + n;
  // No step writes what it reads: the library does not promise to allow that.
  float* const length = w.length.data();
  transform(cuda::std::make_tuple(w.x.data()), xx, n, square{}, queue);
  transform(cuda::std::make_tuple(w.y.data()), length, n, square{}, queue);
  transform(cuda::std::make_tuple(xx, length), yy, n, sum{}, queue);
  transform(cuda::std::make_tuple(yy), length, n, root{}, queue);
}

void launch_cub(const workload& w, stream queue) {
  if (w.x.empty()) return;
  transform(cuda::std::make_tuple(w.x.data(), w.y.data()), w.length.data(), w.x.size(), length_of{}, queue);
}

}  // namespace ridge::experiments::ch09_fused_l2norm
