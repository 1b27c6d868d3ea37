// SPDX-License-Identifier: Apache-2.0
#include <ridge/gpu/launch.cuh>

#include "sgemm_ladder.hpp"

namespace ridge::experiments::ch09_sgemm_ladder {
namespace {

constexpr int side = 32;  // of a block's square tile of c: a sum a thread

struct matrices {
  const float* a;
  const float* b;
  float* c;
  std::int64_t m, n, k;
};

__device__ void make_sum(const matrices& p, std::int64_t row, std::int64_t column) {
  if (row >= p.m || column >= p.n) return;
  float sum = 0;
  for (std::int64_t t = 0; t < p.k; ++t) sum = fmaf(p.a[row * p.k + t], p.b[t * p.n + column], sum);
  p.c[row * p.n + column] = sum;
}

__global__ void __launch_bounds__(side* side) naive(const matrices p) {
  make_sum(p, std::int64_t{blockIdx.x} * side + threadIdx.x, std::int64_t{blockIdx.y} * side + threadIdx.y);
}

__global__ void __launch_bounds__(side* side) coalesced(const matrices p) {
  make_sum(p, std::int64_t{blockIdx.y} * side + threadIdx.y, std::int64_t{blockIdx.x} * side + threadIdx.x);
}

__global__ void __launch_bounds__(side* side) shared_tile(const matrices p) {
  __shared__ float a[side][side], b[side][side];
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  const std::int64_t row = std::int64_t{blockIdx.y} * side + y, column = std::int64_t{blockIdx.x} * side + x;
  float sum = 0;
  for (std::int64_t from = 0; from < p.k; from += side) {
    a[y][x] = row < p.m && from + x < p.k ? p.a[row * p.k + from + x] : 0;
    b[y][x] = from + y < p.k && column < p.n ? p.b[(from + y) * p.n + column] : 0;
    __syncthreads();
#pragma unroll
    for (int t = 0; t < side; ++t) sum = fmaf(a[y][t], b[t][x], sum);
    __syncthreads();
  }
  if (row < p.m && column < p.n) p.c[row * p.n + column] = sum;
}

matrices of(const workload& w) { return {w.a.data(), w.b.data(), w.c.data(), w.m, w.n, w.k}; }

unsigned squares(std::int64_t extent) { return gpu::blocks_for(static_cast<std::size_t>(extent), side); }

}  // namespace

void launch_naive(const workload& w, stream queue) {
  if (w.c.empty()) return;
  gpu::launch(naive, {dim3(squares(w.m), squares(w.n)), dim3(side, side), 0, queue}, of(w));
}

void launch_coalesced(const workload& w, stream queue) {
  if (w.c.empty()) return;
  gpu::launch(coalesced, {dim3(squares(w.n), squares(w.m)), dim3(side, side), 0, queue}, of(w));
}

void launch_shared_tile(const workload& w, stream queue) {
  if (w.c.empty()) return;
  gpu::launch(shared_tile, {dim3(squares(w.n), squares(w.m)), dim3(side, side), 0, queue}, of(w));
}

}  // namespace ridge::experiments::ch09_sgemm_ladder
