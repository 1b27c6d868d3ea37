// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <ridge/gpu/ptx/async_copy.cuh>
#include <ridge/gpu/ptx/shared_address.cuh>

#include "tile.cuh"

// fp32 products by tiles: slices of both factors come to shared memory by asynchronous copies while the slice
// before is multiplied, the left one transposed on the way, so that a thread reads four rows and four columns
// of one term at a time; and it reads those of the next term while it multiplies this one's. The order of
// rows and lanes follows CUTLASS's SIMT kernels ("Efficient GEMM in CUDA", its documentation).
namespace ridge::kernels {

struct factors {
  const float* a;
  const float* b;
  float* c;
  int n;
};

// How the tiles lie in the matrix: all whole; or not, with rows on 16 bytes; or not even that.
enum class edges { none, aligned, any };

// A row of `a` is one term of all rows of the tile; four floats more, so that the eight terms that a warp
// copies at once lie in different banks.
template <class Tile>
struct slice {
  float a[Tile::depth][Tile::rows + 4];
  float b[Tile::depth][Tile::cols];
};
template <class Tile>
constexpr std::size_t shared_bytes = Tile::stages * sizeof(slice<Tile>);

// Zeros where the source lies outside.
template <int Floats>
__device__ void copy_async(float* target, const float* source, bool inside) {
  const auto address = gpu::ptx::shared_address(target);
  const int bytes = inside ? 4 * Floats : 0;
  if constexpr (Floats == 4) {
    gpu::ptx::cp_async_cg_16(address, source, bytes);
  } else {
    gpu::ptx::cp_async_ca_4(address, source, bytes);
  }
}

// A thread's part of the copies: its first element in either factor, moved on slice by slice.
template <class Tile, edges Edges>
struct copier {
  static constexpr int a_terms = 8, a_rows = Tile::threads / a_terms;
  static constexpr int width = Edges == edges::any ? 1 : 4;
  static constexpr int b_across = Tile::cols / width, b_terms = Tile::threads / b_across;
  static constexpr int b_passes = (Tile::depth + b_terms - 1) / b_terms;

  const float* a;
  const float* b;
  int n, row, col, term = 0;  // row, col: of the tile

  __device__ copier(const factors& f, int tile_row, int tile_col) : n(f.n), row(tile_row), col(tile_col) {
    const int t = static_cast<int>(threadIdx.x);
    a = f.a + static_cast<std::size_t>(row + t / a_terms) * n + t % a_terms;
    b = f.b + static_cast<std::size_t>(t / b_across) * n + col + t % b_across * width;
  }

  __device__ void next(slice<Tile>& to) {
    const int t = static_cast<int>(threadIdx.x);
#pragma unroll
    for (int d = 0; d < Tile::depth; d += a_terms) {
#pragma unroll
      for (int r = 0; r < Tile::rows; r += a_rows) {
        const bool inside = Edges == edges::none || (row + t / a_terms + r < n && term + t % a_terms + d < n);
        copy_async<1>(&to.a[t % a_terms + d][t / a_terms + r], inside ? a + r * n + d : a_safe(), inside);
      }
    }
    copy_b(to, t);
    term += Tile::depth, a += Tile::depth, b += static_cast<std::size_t>(Tile::depth) * n;
  }

 private:
  // Within the matrix: the tile's first row and term 0 are.
  __device__ const float* a_safe() const {
    return a - (threadIdx.x / a_terms) * n - (term + threadIdx.x % a_terms);
  }

  __device__ void copy_b(slice<Tile>& to, int t) {
    const int first = t / b_across, at = t % b_across * width;
#pragma unroll
    for (int i = 0; i < b_passes; ++i) {
      const int d = first + i * b_terms;
      if (Tile::depth % b_terms != 0 && d >= Tile::depth) break;
      const bool inside = Edges == edges::none || (term + d < n && col + at < n);
      copy_async<width>(&to.b[d][at], inside ? b + i * b_terms * n : b - first * n - at, inside);
    }
  }
};

// Where a thread's sums lie in the tile: four rows from `row`, four from `row` + 16, ...; four columns from
// `col`, four from `col` + 32, ... Two neighbouring lanes share their columns, the next two their rows: so a
// warp's reads of 16 bytes are served in two turns, not four.
template <class Tile>
struct place {
  int row, col;
  __device__ place() {
    const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
    row = warp / Tile::warps_across * Tile::warp_rows + (lane / 16 * 2 + lane % 2) * 4;
    col = warp % Tile::warps_across * Tile::warp_cols + lane / 2 % 8 * 4;
  }
};

template <class Tile>
struct term_factors {
  alignas(16) float a[Tile::thread_rows];
  alignas(16) float b[Tile::thread_cols];
  __device__ void read(const slice<Tile>& from, int d, place<Tile> at) {
#pragma unroll
    for (int i = 0; i < Tile::thread_rows; i += 4)
      *reinterpret_cast<float4*>(a + i) = *reinterpret_cast<const float4*>(&from.a[d][at.row + 4 * i]);
#pragma unroll
    for (int j = 0; j < Tile::thread_cols; j += 4)
      *reinterpret_cast<float4*>(b + j) = *reinterpret_cast<const float4*>(&from.b[d][at.col + 8 * j]);
  }
};

template <class Tile>
using sums = float[Tile::thread_rows][Tile::thread_cols];

template <class Tile>
__device__ void add_term(sums<Tile>& sum, const term_factors<Tile>& of) {
#pragma unroll
  for (int i = 0; i < Tile::thread_rows; ++i) {
#pragma unroll
    for (int j = 0; j < Tile::thread_cols; ++j) sum[i][j] = fmaf(of.a[i], of.b[j], sum[i][j]);
  }
}

template <class Tile, edges Edges>
__device__ void store(const sums<Tile>& sum, const factors& f, int row, int col) {
#pragma unroll
  for (int i = 0; i < Tile::thread_rows; ++i) {
    const int at_row = row + i / 4 * 16 + i % 4;
    if (Edges != edges::none && at_row >= f.n) return;
    float* const to = f.c + static_cast<std::size_t>(at_row) * f.n;
#pragma unroll
    for (int j = 0; j < Tile::thread_cols; j += 4) {
      const int at = col + j / 4 * 32;
      if constexpr (Edges == edges::any) {
#pragma unroll
        for (int k = 0; k < 4; ++k)
          if (at + k < f.n) to[at + k] = sum[i][j + k];
      } else {
        if (Edges == edges::none || at < f.n)
          *reinterpret_cast<float4*>(to + at) = {sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]};
      }
    }
  }
}

// Block (x, y, z) computes tile (y, x) of product z.
template <class Tile, edges Edges>
__global__ void __launch_bounds__(Tile::threads, Edges == edges::none ? Tile::blocks_per_sm : 1)
    tiled_product(factors f) {
  extern __shared__ float4 dynamic[];
  auto* const slices = reinterpret_cast<slice<Tile>*>(dynamic);
  const auto skipped = blockIdx.z * static_cast<std::size_t>(f.n) * f.n;
  f.a += skipped, f.b += skipped, f.c += skipped;
  const int row = static_cast<int>(blockIdx.y) * Tile::rows, col = static_cast<int>(blockIdx.x) * Tile::cols;
  const int steps = (f.n + Tile::depth - 1) / Tile::depth;
  constexpr int stages = Tile::stages;
  copier<Tile, Edges> copies(f, row, col);
#pragma unroll
  for (int s = 0; s < stages - 1; ++s) {
    if (s < steps) copies.next(slices[s]);
    gpu::ptx::cp_async_commit_group();
  }
  const place<Tile> at;
  sums<Tile> sum{};
  int read = 0, filled = stages - 1;  // slots
  const auto fill = [&](int step) {
    if (step + stages - 1 < steps) copies.next(slices[filled]);
    gpu::ptx::cp_async_commit_group();
    filled = filled + 1 < stages ? filled + 1 : 0;
  };
  // Everybody's part of the next slice has come, and nobody reads the slot that is filled next.
  const auto wait = [] {
    gpu::ptx::cp_async_wait_group<stages - 2>();
    __syncthreads();
  };
  term_factors<Tile> of[2];
  wait();
  of[0].read(slices[0], 0, at);
  for (int step = 0; step < steps; ++step) {
#pragma unroll
    for (int d = 0; d < Tile::depth; ++d) {
      if (d == Tile::depth - 1) {
        wait();
        read = read + 1 < stages ? read + 1 : 0;
      }
      of[(d + 1) % 2].read(slices[read], (d + 1) % Tile::depth, at);
      if (d == 0) fill(step);
      add_term<Tile>(sum, of[d % 2]);
    }
  }
  store<Tile, Edges>(sum, f, row + at.row, col + at.col);
}

}  // namespace ridge::kernels
