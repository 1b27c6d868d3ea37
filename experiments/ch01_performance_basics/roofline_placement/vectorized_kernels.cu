// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <functional>

#include <ridge/gpu/check.hpp>
#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/quads.hpp>
#include <ridge/gpu/reduce.cuh>
#include <ridge/gpu/transform.cuh>

#include "roofline_placement.hpp"

namespace ridge::experiments::ch01_roofline_placement::on_gpu {
namespace {

using gpu::last_to_finish, gpu::most_of, gpu::over_block, gpu::over_warp, gpu::sum_of, gpu::warp_lanes;

constexpr unsigned threads = 256;
constexpr unsigned rows_of_block = threads / warp_lanes;
constexpr unsigned loads = 2;          // of each array in flight per thread
constexpr unsigned blocks_per_sm = 6;  // of the dot product: as many as are resident

const float4* vectors_of(const float* address) { return reinterpret_cast<const float4*>(address); }

__device__ float4 operator+(float4 a, float4 b) { return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w}; }
__device__ float sum(float4 v) { return (v.x + v.y) + (v.z + v.w); }
__device__ float most(float4 v) { return fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w)); }
__device__ void add_products(float4& sum, float4 a, float4 b) {
  sum = {fmaf(a.x, b.x, sum.x), fmaf(a.y, b.y, sum.y), fmaf(a.z, b.z, sum.z), fmaf(a.w, b.w, sum.w)};
}

// Returns this thread's part of the sum, with `loads` vectors of each array in flight.
__device__ float dot_of_thread(const float* a, const float* b, gpu::quads q) {
  const auto* left = reinterpret_cast<const float4*>(a + q.head);
  const auto* right = reinterpret_cast<const float4*>(b + q.head);
  const std::size_t stride = gridDim.x * std::size_t{threads};
  std::size_t i = blockIdx.x * std::size_t{threads} + threadIdx.x;
  float4 even{}, odd{};
  for (; i + stride < q.count; i += 2 * stride) {
    const float4 x = __ldcs(left + i), y = __ldcs(right + i);
    const float4 u = __ldcs(left + i + stride), v = __ldcs(right + i + stride);
    add_products(even, x, y);
    add_products(odd, u, v);
  }
  if (i < q.count) add_products(even, left[i], right[i]);
  float total = sum(even + odd);
  if (blockIdx.x != 0) return total;
  for (std::size_t j = threadIdx.x; j < q.singles(); j += threads) total += a[q.single(j)] * b[q.single(j)];
  return total;
}

__global__ void __launch_bounds__(threads, blocks_per_sm)
    dot(const float* a, const float* b, float* c, gpu::quads q, float* partial, unsigned* finished) {
  const float of_block = over_block(dot_of_thread(a, b, q), sum_of());
  if (threadIdx.x == 0) partial[blockIdx.x] = of_block;
  if (!last_to_finish(finished)) return;
  float total = 0;
  for (unsigned i = threadIdx.x; i < gridDim.x; i += threads) total += __ldcg(partial + i);
  total = over_block(total, sum_of());
  if (threadIdx.x == 0) *c = total;
}

// A row of up to Vectors * threads quads, held in the registers of its block.
template <int Vectors>
struct row_in_registers {
  float4 v[Vectors];
  unsigned quads;
  __device__ row_in_registers(const float4* source, unsigned count, float beyond) : quads(count) {
#pragma unroll
    for (unsigned u = 0; u < Vectors; ++u)
      v[u] = holds(u) ? __ldcs(source + at(u)) : float4{beyond, beyond, beyond, beyond};
  }
  __device__ static unsigned at(unsigned u) { return u * threads + threadIdx.x; }
  __device__ bool holds(unsigned u) const { return at(u) < quads; }
  __device__ void store(float4* target) const {
#pragma unroll
    for (unsigned u = 0; u < Vectors; ++u)
      if (holds(u)) __stcs(target + at(u), v[u]);
  }
};

template <int Vectors>
__global__ void __launch_bounds__(threads) softmax_row(const float4* source, float4* target, unsigned quads) {
  const std::size_t skipped = blockIdx.x * std::size_t{quads};
  row_in_registers<Vectors> row(source + skipped, quads, -INFINITY);
  float largest = most_of::neutral, total = 0;
#pragma unroll
  for (const float4& v : row.v) largest = fmaxf(largest, most(v));
  largest = over_block(largest, most_of());
#pragma unroll
  for (float4& v : row.v) {
    v = {__expf(v.x - largest), __expf(v.y - largest), __expf(v.z - largest), __expf(v.w - largest)};
    total += sum(v);
  }
  const float scale = 1 / over_block(total, sum_of());
#pragma unroll
  for (float4& v : row.v) v = {v.x * scale, v.y * scale, v.z * scale, v.w * scale};
  row.store(target + skipped);
}

template <int Vectors>
__global__ void __launch_bounds__(threads) norm_row(const float4* source, float4* target, unsigned quads) {
  const std::size_t skipped = blockIdx.x * std::size_t{quads};
  const float n = 4 * as_float(quads);
  row_in_registers<Vectors> row(source + skipped, quads, 0);
  float total = 0, squares = 0;
#pragma unroll
  for (const float4& v : row.v) total += sum(v);
  const float mean = over_block(total, sum_of()) / n;
#pragma unroll
  for (unsigned u = 0; u < Vectors; ++u) {
    float4& v = row.v[u];
    v = {v.x - mean, v.y - mean, v.z - mean, v.w - mean};
    if (row.holds(u)) squares += sum({v.x * v.x, v.y * v.y, v.z * v.z, v.w * v.w});
  }
  const float scale = 1 / sqrtf(over_block(squares, sum_of()) / n + norm_epsilon);
#pragma unroll
  for (float4& v : row.v) v = {v.x * scale, v.y * scale, v.z * scale, v.w * scale};
  row.store(target + skipped);
}

// One warp per row. Registers for eight blocks fit on a multiprocessor: 132 of them then work on 8192 rows at
// once, and none is left for a second wave.
__global__ void __launch_bounds__(threads, 8)
    gemv(const float4* a, const float4* b, float* c, unsigned quads) {
  const unsigned row = blockIdx.x * rows_of_block + threadIdx.x / warp_lanes;
  if (row >= 4 * quads) return;
  a += std::size_t{row} * quads;
  float4 total{};
  unsigned i = threadIdx.x % warp_lanes;
#if __CUDA_ARCH__ >= 1000
#pragma unroll 1  // for sm_100a two steps at once are given more registers than there are
#else
#pragma unroll 2
#endif
  for (; i + (loads - 1) * warp_lanes < quads; i += loads * warp_lanes) {
    float4 x[loads];
#pragma unroll
    for (unsigned u = 0; u < loads; ++u) x[u] = __ldcs(a + i + u * warp_lanes);
#pragma unroll
    for (unsigned u = 0; u < loads; ++u) add_products(total, x[u], __ldg(b + i + u * warp_lanes));
  }
  if (i < quads) add_products(total, a[i], b[i]);
  const float of_row = over_warp(sum(total), sum_of());
  if (threadIdx.x % warp_lanes == 0) c[row] = of_row;
}

bool at_boundary(const float* address) {
  return reinterpret_cast<std::uintptr_t>(address) % sizeof(float4) == 0;
}

using row_kernel = void (*)(const float4*, float4*, unsigned);

// Launches one block per row, with the registers that hold the row. Returns false for rows that do not fit.
bool launch_by_row(const workload& w, stream queue, std::initializer_list<row_kernel> for_vectors) {
  if (w.n % 4 != 0 || !at_boundary(w.a.data()) || !at_boundary(w.c.data())) return false;
  std::size_t holds = threads;
  for (const row_kernel kernel : for_vectors) {
    if (w.n / 4 <= holds) {
      gpu::launch(kernel, {as_unsigned(w.n), threads, 0, queue}, vectors_of(w.a.data()),
                  reinterpret_cast<float4*>(w.c.data()), as_unsigned(w.n / 4));
      return true;
    }
    holds *= 2;
  }
  return false;
}

}  // namespace

void vectorized_add(const workload& w, stream queue) {
  gpu::transform(std::plus<float>(), w.c.size(), w.c.data(), queue, w.a.data(), w.b.data());
}

std::size_t vectorized_dot_blocks(std::size_t elements) {
  return std::clamp(gpu::blocks_for(elements / 4, threads * loads), 1U,
                    blocks_per_sm * gpu::multiprocessors());
}

void vectorized_dot(const workload& w, std::span<float> partial, unsigned* finished, stream queue) {
  const auto q = gpu::quads_of(w.a.size(), {w.a.data(), w.b.data()});
  gpu::launch(dot, {as_unsigned(partial.size()), threads, 0, queue}, w.a.data(), w.b.data(), w.c.data(), q,
              partial.data(), finished);
}

void vectorized_softmax(const workload& w, stream queue) {
  if (w.n == 0) return;
  if (!launch_by_row(w, queue, {softmax_row<1>, softmax_row<2>, softmax_row<4>, softmax_row<8>}))
    plain_softmax(w, queue);
}

void vectorized_norm(const workload& w, stream queue) {
  if (w.n == 0) return;
  if (!launch_by_row(w, queue, {norm_row<1>, norm_row<2>, norm_row<4>, norm_row<8>})) plain_norm(w, queue);
}

void vectorized_gemv(const workload& w, stream queue) {
  if (w.n == 0) return;
  if (w.n % 4 != 0 || !at_boundary(w.a.data()) || !at_boundary(w.b.data())) return plain_gemv(w, queue);
  gpu::launch(gemv, {gpu::blocks_for(w.n, rows_of_block), threads, 0, queue}, vectors_of(w.a.data()),
              vectors_of(w.b.data()), w.c.data(), as_unsigned(w.n / 4));
}

}  // namespace ridge::experiments::ch01_roofline_placement::on_gpu
