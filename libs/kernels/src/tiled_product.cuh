// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <ridge/gpu/ptx/async_copy.cuh>
#include <ridge/gpu/ptx/shared_address.cuh>

#include "tile.cuh"

// fp32 products by tiles. Asynchronous copies bring slices of both factors to shared memory while the
// previous slice is multiplied. The left slice is transposed by the copy, so that a thread reads four rows
// and four columns of one term at a time; it reads those of the next term while it multiplies the present
// ones. The order of rows and lanes follows CUTLASS's SIMT kernels (CUTLASS documentation, "Efficient GEMM in
// CUDA").
namespace ridge::kernels {

struct factors {
  const float* a;
  const float* b;
  float* c;
  int n;
};

// How the tiles fit the matrix. none: every tile is whole; aligned: tiles may cross the edge, and rows are
// aligned to 16 bytes; any: rows are not aligned either.
enum class edges { none, aligned, any };

// Depth terms of both factors. A row of `a` is one term of all rows of the tile, padded by four floats so
// that the eight terms that a warp copies at once are in different banks.
template <class Tile>
struct slice {
  float a[Tile::depth][Tile::rows + 4];
  float b[Tile::depth][Tile::cols];
};
template <class Tile>
constexpr std::size_t shared_bytes = Tile::stages * sizeof(slice<Tile>);

// Copies `Floats` floats, or writes zeros where `inside` is false.
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

// One thread's share of the copies: the addresses of its first element in either factor, advanced slice by
// slice.
template <class Tile, edges Edges>
struct copier {
  static constexpr int a_terms = 8, a_rows = Tile::threads / a_terms;
  static constexpr int width = Edges == edges::any ? 1 : 4;
  static constexpr int b_across = Tile::cols / width, b_terms = Tile::threads / b_across;
  static constexpr int b_passes = (Tile::depth + b_terms - 1) / b_terms;

  const float* a;
  const float* b;
  int n, row, col, term = 0;  // row and col of the tile's first element

  __device__ copier(const factors& f, int tile_row, int tile_col) : n(f.n), row(tile_row), col(tile_col) {
    const int t = static_cast<int>(threadIdx.x);
    a = f.a + static_cast<std::size_t>(row + t / a_terms) * n + t % a_terms;
    b = f.b + static_cast<std::size_t>(t / b_across) * n + col + t % b_across * width;
  }

  __device__ void next(slice<Tile>& target) {
    const int t = static_cast<int>(threadIdx.x);
#pragma unroll
    for (int d = 0; d < Tile::depth; d += a_terms) {
#pragma unroll
      for (int r = 0; r < Tile::rows; r += a_rows) {
        const bool inside = Edges == edges::none || (row + t / a_terms + r < n && term + t % a_terms + d < n);
        copy_async<1>(&target.a[t % a_terms + d][t / a_terms + r], inside ? a + r * n + d : a_safe(), inside);
      }
    }
    copy_b(target, t);
    term += Tile::depth, a += Tile::depth, b += static_cast<std::size_t>(Tile::depth) * n;
  }

 private:
  // An address inside the matrix, for copies that read nothing: term 0 of the tile's first row.
  __device__ const float* a_safe() const {
    return a - (threadIdx.x / a_terms) * n - (term + threadIdx.x % a_terms);
  }

  __device__ void copy_b(slice<Tile>& target, int t) {
    const int first = t / b_across, column = t % b_across * width;
#pragma unroll
    for (int i = 0; i < b_passes; ++i) {
      const int d = first + i * b_terms;
      if (Tile::depth % b_terms != 0 && d >= Tile::depth) break;
      const bool inside = Edges == edges::none || (term + d < n && col + column < n);
      copy_async<width>(&target.b[d][column], inside ? b + i * b_terms * n : b - first * n - column, inside);
    }
  }
};

// The place of a thread's sums in the tile: four rows from `row`, four from `row` + 16, ...; four columns
// from `col`, four from `col` + 32, ... Two neighbouring lanes share their columns, the next two their rows,
// so that a warp's reads of 16 bytes take two turns instead of four.
template <class Tile>
struct place {
  int row, col;
  __device__ place() {
    const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
    row = warp / Tile::warps_across * Tile::warp_rows + (lane / 16 * 2 + lane % 2) * 4;
    col = warp % Tile::warps_across * Tile::warp_cols + lane / 2 % 8 * 4;
  }
};

// One term of a thread's rows and columns, in registers.
template <class Tile>
struct term_factors {
  alignas(16) float a[Tile::thread_rows];
  alignas(16) float b[Tile::thread_cols];
  __device__ void read(const slice<Tile>& source, int d, place<Tile> corner) {
#pragma unroll
    for (int i = 0; i < Tile::thread_rows; i += 4)
      *reinterpret_cast<float4*>(a + i) = *reinterpret_cast<const float4*>(&source.a[d][corner.row + 4 * i]);
#pragma unroll
    for (int j = 0; j < Tile::thread_cols; j += 4)
      *reinterpret_cast<float4*>(b + j) = *reinterpret_cast<const float4*>(&source.b[d][corner.col + 8 * j]);
  }
};

template <class Tile>
using sums = float[Tile::thread_rows][Tile::thread_cols];

template <class Tile>
__device__ void add_term(sums<Tile>& sum, const term_factors<Tile>& term) {
#pragma unroll
  for (int i = 0; i < Tile::thread_rows; ++i) {
#pragma unroll
    for (int j = 0; j < Tile::thread_cols; ++j) sum[i][j] = fmaf(term.a[i], term.b[j], sum[i][j]);
  }
}

template <class Tile, edges Edges>
__device__ void store(const sums<Tile>& sum, const factors& f, int row, int col) {
#pragma unroll
  for (int i = 0; i < Tile::thread_rows; ++i) {
    const int at_row = row + i / 4 * 16 + i % 4;
    if (Edges != edges::none && at_row >= f.n) return;
    float* const target = f.c + static_cast<std::size_t>(at_row) * f.n;
#pragma unroll
    for (int j = 0; j < Tile::thread_cols; j += 4) {
      const int first_col = col + j / 4 * 32;
      if constexpr (Edges == edges::any) {
#pragma unroll
        for (int k = 0; k < 4; ++k)
          if (first_col + k < f.n) target[first_col + k] = sum[i][j + k];
      } else {
        if (Edges == edges::none || first_col < f.n)
          *reinterpret_cast<float4*>(target + first_col) = {sum[i][j], sum[i][j + 1], sum[i][j + 2],
                                                            sum[i][j + 3]};
      }
    }
  }
}

// Computes the products: block (x, y, z) computes tile (y, x) of product z.
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
  const place<Tile> corner;
  sums<Tile> sum{};
  int read = 0, filled = stages - 1;  // slots
  const auto fill = [&](int step) {
    if (step + stages - 1 < steps) copies.next(slices[filled]);
    gpu::ptx::cp_async_commit_group();
    filled = filled + 1 < stages ? filled + 1 : 0;
  };
  // Waits until all threads' copies of the next slice are complete and no thread reads the slot that is
  // filled next.
  const auto wait = [] {
    gpu::ptx::cp_async_wait_group<stages - 2>();
    __syncthreads();
  };
  term_factors<Tile> terms[2];
  wait();
  terms[0].read(slices[0], 0, corner);
  for (int step = 0; step < steps; ++step) {
#pragma unroll
    for (int d = 0; d < Tile::depth; ++d) {
      if (d == Tile::depth - 1) {
        wait();
        read = read + 1 < stages ? read + 1 : 0;
      }
      terms[(d + 1) % 2].read(slices[read], (d + 1) % Tile::depth, corner);
      if (d == 0) fill(step);
      add_term<Tile>(sum, terms[d % 2]);
    }
  }
  store<Tile, Edges>(sum, f, row + corner.row, col + corner.col);
}

}  // namespace ridge::kernels
