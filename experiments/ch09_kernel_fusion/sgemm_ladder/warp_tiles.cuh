// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <ridge/gpu/ptx/async_copy.cuh>
#include <ridge/gpu/ptx/shared_address.cuh>

namespace ridge::experiments::ch09_sgemm_ladder {

// A warp makes 64 x 64 sums, four lanes down and eight across, a lane 16 x 8 of them in groups of 4 x 4: for
// one term it reads 24 words, of which a warp's reads are 64 different ones each way, for 128 multiply-adds.
// Slices of 16 terms come by cp.async into a ring of three. In shared memory a is transposed: a row of it is
// one term of all rows, and 16 bytes longer, so that copies of neighbouring terms fall into other banks.
template <int WarpsDown, int WarpsAcross, int Resident>
struct warp_tile {
  static constexpr int resident = Resident;  // blocks that are to share a multiprocessor
  static constexpr int depth = 16, stages = 3, lane_rows = 16, lane_columns = 8;
  static constexpr int rows = 64 * WarpsDown, columns = 64 * WarpsAcross;
  static constexpr int warps_across = WarpsAcross, threads = 32 * WarpsDown * WarpsAcross;
  static constexpr int a_pitch = rows + 4, a_floats = depth * a_pitch;
  static constexpr int stage_floats = a_floats + depth * columns, stage_bytes = 4 * stage_floats;
  static constexpr int shared_bytes = stages * stage_bytes;
  // What a thread copies of a slice: words of a, that many rows apart, and quads of b, that many terms apart.
  static constexpr int a_apart = threads / depth, a_copies = rows / a_apart;
  static constexpr int b_quads = columns / 4, b_apart = threads / b_quads, b_copies = depth / b_apart;
  static_assert(rows % a_apart == 0 && threads % b_quads == 0 && depth % b_apart == 0);
};

// c = a b; rows of b and c begin on 16 bytes.
struct warp_tile_problem {
  const float* a;
  const float* b;
  float* c;
  int m, n, k;
  unsigned tiles_down, tiles_across;
};

struct tile_origin {
  int row, column;
};

// Blocks that run together take eight rows of tiles, column by column, so that they share operands in the
// second-level cache.
template <class Tile>
__device__ tile_origin origin_of_block(const warp_tile_problem& p) {
  constexpr unsigned band = 8;
  const unsigned in_band = band * p.tiles_across, first = blockIdx.x / in_band * band;
  const unsigned rows = min(band, p.tiles_down - first), inside = blockIdx.x % in_band;
  return {static_cast<int>(first + inside % rows) * Tile::rows,
          static_cast<int>(inside / rows) * Tile::columns};
}

// A thread's part of the copies, the same places of every slice.
template <class Tile>
class slice_copies {
 public:
  __device__ slice_copies(const warp_tile_problem& p, tile_origin origin)
      : p_(p),
        a_row_(origin.row + thread() / Tile::depth),
        a_term_(thread() % Tile::depth),
        b_column_(origin.column + thread() % Tile::b_quads * 4),
        b_term_(thread() / Tile::b_quads),
        a_(p.a + std::int64_t{a_row_} * p.k + a_term_),
        b_(p.b + std::int64_t{b_term_} * p.n + b_column_),
        a_target_(4 * (a_term_ * Tile::a_pitch + thread() / Tile::depth)),
        b_target_(4 * (Tile::a_floats + 4 * thread())),
        inside_(origin.row + Tile::rows <= p.m && origin.column + Tile::columns <= p.n) {}

  // Begins share `share` of the depth - 1 shares of the next slice at the shared address `stage`; the last
  // closes the slice's group of copies. A slice that is partly outside comes with the first share.
  __device__ void begin_share(unsigned stage, int share) {
    constexpr int copies = Tile::a_copies + Tile::b_copies, shares = Tile::depth - 1;
    constexpr int each = (copies + shares - 1) / shares;
    if (inside_ && begin_ + Tile::depth <= p_.k) {
#pragma unroll
      for (int i = 0; i < each; ++i)
        if (share * each + i < copies) copy_inside(stage, share * each + i);
    } else if (begin_ < p_.k && share == 0) {
#pragma unroll
      for (int i = 0; i < copies; ++i) copy_edge(stage, i);
    }
    if (share + 1 < shares) return;
    gpu::ptx::cp_async_commit_group();
    begin_ += Tile::depth, a_ += Tile::depth, b_ += std::int64_t{Tile::depth} * p_.n;
  }

  __device__ void begin_slice(unsigned stage) {
#pragma unroll
    for (int share = 0; share + 1 < Tile::depth; ++share) begin_share(stage, share);
  }

 private:
  static __device__ int thread() { return static_cast<int>(threadIdx.x); }
  __device__ const float* a_source(int i) const { return a_ + std::int64_t{i * Tile::a_apart} * p_.k; }
  __device__ const float* b_source(int i) const { return b_ + std::int64_t{i * Tile::b_apart} * p_.n; }
  __device__ unsigned a_place(unsigned stage, int i) const {
    return stage + a_target_ + 4 * i * Tile::a_apart;
  }
  __device__ unsigned b_place(unsigned stage, int i) const {
    return stage + b_target_ + 16 * i * Tile::threads;
  }

  __device__ void copy_inside(unsigned stage, int i) const {
    if (i < Tile::a_copies) return gpu::ptx::cp_async_ca_4(a_place(stage, i), a_source(i), 4);
    gpu::ptx::cp_async_cg_16(b_place(stage, i - Tile::a_copies), b_source(i - Tile::a_copies));
  }

  // What lies beyond the matrices is zero in shared memory; a source that is not read is the matrix itself.
  __device__ void copy_edge(unsigned stage, int i) const {
    if (i < Tile::a_copies) {
      const bool there = a_row_ + i * Tile::a_apart < p_.m && begin_ + a_term_ < p_.k;
      return gpu::ptx::cp_async_ca_4(a_place(stage, i), there ? a_source(i) : p_.a, there ? 4 : 0);
    }
    i -= Tile::a_copies;
    const bool there = b_column_ < p_.n && begin_ + b_term_ + i * Tile::b_apart < p_.k;
    gpu::ptx::cp_async_cg_16(b_place(stage, i), there ? b_source(i) : p_.b, there ? 16 : 0);
  }

  const warp_tile_problem& p_;
  int a_row_, a_term_, b_column_, b_term_;
  const float* a_;
  const float* b_;
  unsigned a_target_, b_target_;
  bool inside_;
  int begin_ = 0;  // the next slice's first term
};

// `Count` words of one term in groups of four, `apart` apart.
template <int Count>
__device__ void read_groups(const float* source, int apart, float (&target)[Count]) {
#pragma unroll
  for (int i = 0; i < Count; i += 4) {
    const auto v = *reinterpret_cast<const float4*>(source + i / 4 * apart);
    target[i] = v.x, target[i + 1] = v.y, target[i + 2] = v.z, target[i + 3] = v.w;
  }
}

template <class Tile>
struct lane_product {
  int row, column;  // of the lane's first sum in the block's tile
  float sum[Tile::lane_rows][Tile::lane_columns] = {};
  float a[2][Tile::lane_rows], b[2][Tile::lane_columns];

  __device__ lane_product() {
    const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
    row = warp / Tile::warps_across * 64 + lane / 8 * 4;
    column = warp % Tile::warps_across * 64 + lane % 8 * 4;
  }

  __device__ void read(const float* stage, int term, int parity) {
    read_groups(stage + term * Tile::a_pitch + row, 16, a[parity]);
    read_groups(stage + Tile::a_floats + term * Tile::columns + column, 32, b[parity]);
  }

  // Goes to and fro along the rows, so that at its turns an instruction's operand of b is the one before's.
  __device__ void multiply(int parity) {
#pragma unroll
    for (int i = 0; i < Tile::lane_rows; ++i) {
#pragma unroll
      for (int place = 0; place < Tile::lane_columns; ++place) {
        const int j = i % 2 ? Tile::lane_columns - 1 - place : place;
        sum[i][j] = fmaf(a[parity][i], b[parity][j], sum[i][j]);
      }
    }
  }

  __device__ void store(const warp_tile_problem& p, tile_origin origin) const {
#pragma unroll
    for (int i = 0; i < Tile::lane_rows; ++i) {
      const int r = origin.row + row + i / 4 * 16 + i % 4;
      if (r >= p.m) return;
#pragma unroll
      for (int j = 0; j < Tile::lane_columns; j += 4) {
        const int c = origin.column + column + j * 8;
        if (c < p.n)
          *reinterpret_cast<float4*>(p.c + std::int64_t{r} * p.n + c) =
              make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]);
      }
    }
  }
};

// The operands of a term are read while those of the one before are multiplied, and the copies of a slice are
// spread over the terms of another.
template <class Tile>
__global__ void __launch_bounds__(Tile::threads, Tile::resident) warp_tiles(const warp_tile_problem p) {
  extern __shared__ float4 dynamic[];
  const float* const ring = reinterpret_cast<const float*>(dynamic);
  const unsigned memory = gpu::ptx::shared_address(dynamic);
  const auto origin = origin_of_block<Tile>(p);
  slice_copies<Tile> copies(p, origin);
#pragma unroll
  for (int s = 0; s + 1 < Tile::stages; ++s) copies.begin_slice(memory + s * Tile::stage_bytes);
  lane_product<Tile> product;
  gpu::ptx::cp_async_wait_group<Tile::stages - 2>();
  __syncthreads();
  product.read(ring, 0, 0);
  int current = 0, next = Tile::stages - 1;
  for (int begin = 0; begin < p.k; begin += Tile::depth) {
#pragma unroll
    for (int t = 0; t < Tile::depth; ++t) {
      const bool last = t + 1 == Tile::depth;
      if (last) {
        current = current + 1 == Tile::stages ? 0 : current + 1;
        gpu::ptx::cp_async_wait_group<Tile::stages - 2>();
        __syncthreads();  // the next slice is there for all, and this one has been read by all
      }
      product.read(ring + current * Tile::stage_floats, last ? 0 : t + 1, (t + 1) % 2);
      if (!last) copies.begin_share(memory + next * Tile::stage_bytes, t);
      product.multiply(t % 2);
    }
    next = next + 1 == Tile::stages ? 0 : next + 1;
  }
  product.store(p, origin);
}

}  // namespace ridge::experiments::ch09_sgemm_ladder
