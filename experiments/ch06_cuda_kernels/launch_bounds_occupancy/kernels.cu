// SPDX-License-Identifier: Apache-2.0
#include <ridge/gpu/check.hpp>
#include <ridge/gpu/launch.cuh>

#include "launch_bounds_occupancy.hpp"

namespace ridge::experiments::ch06_launch_bounds_occupancy {
namespace {

constexpr unsigned threads = 128, most_threads = 384, n = order;

struct systems {
  const float* a;
  const float* b;
  float* x;
  std::size_t count;
};

// A triangle and a right-hand side: 152 numbers that want a register each.
struct system_in_registers {
  float l[n][n], y[n];

  __device__ void load(const systems& s, std::size_t i) {
#pragma unroll
    for (unsigned r = 0; r < n; ++r) {
#pragma unroll
      for (unsigned c = 0; c <= r; ++c) l[r][c] = __ldcs(s.a + (r * (r + 1) / 2 + c) * s.count + i);
      l[r][r] += shift;
      y[r] = __ldcs(s.b + r * s.count + i);
    }
  }

  // A = L Lᵀ column by column, with 1 / L[k][k] on the diagonal, and y = L⁻¹ b beside it (Cholesky,
  // right-looking).
  __device__ void factorize() {
#pragma unroll
    for (unsigned k = 0; k < n; ++k) {
      l[k][k] = rsqrtf(l[k][k]);
      y[k] *= l[k][k];
#pragma unroll
      for (unsigned r = k + 1; r < n; ++r) {
        l[r][k] *= l[k][k];
        y[r] = fmaf(-l[r][k], y[k], y[r]);
#pragma unroll
        for (unsigned c = k + 1; c <= r; ++c) l[r][c] = fmaf(-l[r][k], l[c][k], l[r][c]);
      }
    }
  }

  // y = L⁻ᵀ y.
  __device__ void substitute_back() {
#pragma unroll
    for (unsigned k = n; k-- > 0;) {
      y[k] *= l[k][k];
#pragma unroll
      for (unsigned r = 0; r < k; ++r) y[r] = fmaf(-l[k][r], y[k], y[r]);
    }
  }

  __device__ void store(const systems& s, std::size_t i) const {
#pragma unroll
    for (unsigned r = 0; r < n; ++r) __stcs(s.x + r * s.count + i, y[r]);
  }
};

__device__ void solve_one(const systems& s) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i >= s.count) return;
  system_in_registers one;
  one.load(s, i);
  one.factorize();
  one.substitute_back();
  one.store(s, i);
}

__global__ void __launch_bounds__(most_threads) solve(systems s) { solve_one(s); }

// Named after what it is here to show: the tools that refuse spilled registers let these kernels pass.
template <unsigned Blocks>
__global__ void __launch_bounds__(threads, Blocks) spilling_solve(systems s) {
  solve_one(s);
}

void launch_solver(void (*kernel)(systems), const workload& w, unsigned block, stream queue) {
  gpu::launch_each(kernel, w.systems, block, queue, systems{w.a.data(), w.b.data(), w.x.data(), w.systems});
}

}  // namespace

void launch_unbounded(const workload& w, stream queue) { launch_solver(solve, w, threads, queue); }

void launch_suggested(const workload& w, stream queue) {
  int blocks = 0, block = 0;
  gpu::check(cudaOccupancyMaxPotentialBlockSize(&blocks, &block, solve),
             "cudaOccupancyMaxPotentialBlockSize");
  launch_solver(solve, w, as_unsigned(as_count(block)), queue);
}

template <unsigned Blocks>
void launch_bounded(const workload& w, stream queue) {
  launch_solver(spilling_solve<Blocks>, w, threads, queue);
}
template void launch_bounded<4>(const workload&, stream);
template void launch_bounded<5>(const workload&, stream);
template void launch_bounded<8>(const workload&, stream);

}  // namespace ridge::experiments::ch06_launch_bounds_occupancy
