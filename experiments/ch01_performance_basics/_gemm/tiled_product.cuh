// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "tile.cuh"

// fp32 products by tiles: slices of both factors come to shared memory by asynchronous copies while the slice
// before is multiplied, and each thread keeps its part of the result in registers. The order of rows and
// lanes follows CUTLASS's SIMT kernels ("Efficient GEMM in CUDA", its documentation).
namespace ridge::experiments::ch01_gemm {

struct factors {
  const float* a;
  const float* b;
  float* c;
  int n;
};

// `Width` floats to shared memory, zeros where the source lies outside the matrix.
template <int Width>
__device__ void copy_async(float* to, const float* from, bool inside) {
  const auto shared = static_cast<unsigned>(__cvta_generic_to_shared(to));
  const int bytes = inside ? Width * 4 : 0;
  if constexpr (Width == 4) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared), "l"(from), "r"(bytes)
                 : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(shared), "l"(from), "r"(bytes)
                 : "memory");
  }
}

__device__ inline void end_slice() { asm volatile("cp.async.commit_group;" ::: "memory"); }

template <int Pending>
__device__ void wait_for_slice() {
  asm volatile("cp.async.wait_group %0;" ::"n"(Pending) : "memory");
}

// The slices of a block in shared memory. A row of `a` is 16 bytes longer than its terms, so that the four
// rows that a warp reads at once lie in different banks.
template <class Tile>
struct slices {
  alignas(16) float a[Tile::stages][Tile::rows][Tile::depth + 4];
  alignas(16) float b[Tile::stages][Tile::depth][Tile::cols];
};

template <class Tile, int Width>
__device__ void load_slice(slices<Tile>& to, int slot, const factors& f, int row, int col, int term) {
  constexpr int across_a = Tile::depth / Width, across_b = Tile::cols / Width;
  constexpr int at_once = Width == 4 ? 16 : 1;
#pragma unroll at_once
  for (int i = 0; i < Tile::rows * across_a / Tile::threads; ++i) {
    const int at = i * Tile::threads + static_cast<int>(threadIdx.x);
    const int r = at / across_a, d = at % across_a * Width;
    const bool inside = row + r < f.n && term + d < f.n;
    const auto from = static_cast<std::size_t>(row + r) * f.n + (term + d);
    copy_async<Width>(&to.a[slot][r][d], inside ? f.a + from : f.a, inside);
  }
#pragma unroll at_once
  for (int i = 0; i < Tile::depth * across_b / Tile::threads; ++i) {
    const int at = i * Tile::threads + static_cast<int>(threadIdx.x);
    const int d = at / across_b, j = at % across_b * Width;
    const bool inside = term + d < f.n && col + j < f.n;
    const auto from = static_cast<std::size_t>(term + d) * f.n + (col + j);
    copy_async<Width>(&to.b[slot][d][j], inside ? f.b + from : f.b, inside);
  }
}

// Where a thread's sums lie in the block's tile: rows `row`, `row` + 4, ...; four columns from `col`, four
// from `col` + 32, ... Two neighbouring lanes share their columns, the next two their rows: so a warp's reads
// of 16 bytes are served in two turns, not four.
template <class Tile>
struct place {
  int row, col;
  __device__ place() {
    const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
    row = warp / Tile::warps_across * Tile::warp_rows + lane / 16 * 2 + lane % 2;
    col = warp % Tile::warps_across * Tile::warp_cols + lane / 2 % 8 * 4;
  }
};

template <class Tile>
using sums = float[Tile::thread_rows][Tile::thread_cols];

// Two terms of each of the thread's rows at a time: four would not leave the sums all their registers.
template <class Tile>
__device__ void multiply_slice(sums<Tile>& sum, const slices<Tile>& from, int slot, place<Tile> at) {
#pragma unroll
  for (int d = 0; d < Tile::depth; d += 2) {
    float2 a[Tile::thread_rows];
#pragma unroll
    for (int r = 0; r < Tile::thread_rows; ++r)
      a[r] = *reinterpret_cast<const float2*>(&from.a[slot][at.row + 4 * r][d]);
#pragma unroll
    for (int q = 0; q < 2; ++q) {
      alignas(16) float b[Tile::thread_cols];
#pragma unroll
      for (int j = 0; j < Tile::thread_cols; j += 4)
        *reinterpret_cast<float4*>(b + j) =
            *reinterpret_cast<const float4*>(&from.b[slot][d + q][at.col + 8 * j]);
#pragma unroll
      for (int r = 0; r < Tile::thread_rows; ++r) {
#pragma unroll
        for (int j = 0; j < Tile::thread_cols; ++j)
          sum[r][j] = fmaf(q == 0 ? a[r].x : a[r].y, b[j], sum[r][j]);
      }
    }
  }
}

template <class Tile, int Width>
__device__ void store(const sums<Tile>& sum, const factors& f, int row, int col) {
#pragma unroll
  for (int r = 0; r < Tile::thread_rows; ++r) {
    if (row + 4 * r >= f.n) return;
    float* const to = f.c + static_cast<std::size_t>(row + 4 * r) * f.n;
#pragma unroll
    for (int j = 0; j < Tile::thread_cols; j += Width) {
      const int at = col + j / 4 * 32 + j % 4;
      if (at >= f.n) continue;
      if constexpr (Width == 4) {
        *reinterpret_cast<float4*>(to + at) = {sum[r][j], sum[r][j + 1], sum[r][j + 2], sum[r][j + 3]};
      } else {
        to[at] = sum[r][j];
      }
    }
  }
}

// Block (x, y, z) computes tile (y, x) of product z. `Width` 4 asks for n a multiple of 4 and 16-byte
// boundaries.
template <class Tile, int Width>
__global__ void __launch_bounds__(Tile::threads, Tile::blocks_per_sm) tiled_product(factors f) {
  __shared__ slices<Tile> shared;
  const auto skipped = blockIdx.z * static_cast<std::size_t>(f.n) * f.n;
  f.a += skipped, f.b += skipped, f.c += skipped;
  const int row = static_cast<int>(blockIdx.y) * Tile::rows, col = static_cast<int>(blockIdx.x) * Tile::cols;
  const int steps = (f.n + Tile::depth - 1) / Tile::depth;
  constexpr int ahead = Tile::stages - 1;
#pragma unroll
  for (int s = 0; s < ahead; ++s) {
    if (s < steps) load_slice<Tile, Width>(shared, s, f, row, col, s * Tile::depth);
    end_slice();
  }
  const place<Tile> at;
  sums<Tile> sum{};
  for (int step = 0; step < steps; ++step) {
    wait_for_slice<ahead - 1>();
    // Everybody's part has come, and nobody reads the slot that is filled next.
    __syncthreads();
    const int next = step + ahead;
    if (next < steps) load_slice<Tile, Width>(shared, next % Tile::stages, f, row, col, next * Tile::depth);
    end_slice();
    multiply_slice<Tile>(sum, shared, step % Tile::stages, at);
  }
  store<Tile, Width>(sum, f, row + at.row, col + at.col);
}

}  // namespace ridge::experiments::ch01_gemm
