// SPDX-License-Identifier: Apache-2.0
#include <ridge/gpu/launch.cuh>

#include "sgemm_ladder.hpp"

namespace ridge::experiments::ch09_sgemm_ladder {
namespace {

// A block makes Rows x Columns sums from slices of eight terms in shared memory, each thread LaneRows x
// LaneColumns of them in registers. Quads: global and shared memory are accessed by 16 bytes, for which a's
// slice lies transposed.
template <int Rows, int Columns, int LaneRows, int LaneColumns, bool Quads>
struct register_tile {
  static constexpr int rows = Rows, columns = Columns, lane_rows = LaneRows, lane_columns = LaneColumns;
  static constexpr bool quads = Quads;
  static constexpr int depth = 8;
  static constexpr int threads_across = columns / lane_columns;
  static constexpr int threads = rows / lane_rows * threads_across;
};
using column_tile = register_tile<64, 64, 8, 1, false>;
using square_tile = register_tile<128, 128, 8, 8, false>;
using quad_tile = register_tile<128, 128, 8, 8, true>;

struct matrices {
  const float* a;
  const float* b;
  float* c;
  std::int64_t m, n, k;
  bool a_aligned, b_aligned, c_aligned;  // rows begin on 16 bytes
};

template <class Tile>
struct slices {
  static constexpr int a_rows = Tile::quads ? Tile::depth : Tile::rows;
  static constexpr int a_columns = Tile::quads ? Tile::rows + 4 : Tile::depth;
  alignas(16) float a[a_rows][a_columns];
  alignas(16) float b[Tile::depth][Tile::columns];
};

// Words at..at + 3 of a row of `length` words; zeros beyond it.
__device__ float4 quad_of(const float* row, std::int64_t at, std::int64_t length, bool aligned) {
  if (aligned && at < length) return *reinterpret_cast<const float4*>(row + at);
  float4 v{0, 0, 0, 0};
  if (at < length) v.x = row[at];
  if (at + 1 < length) v.y = row[at + 1];
  if (at + 2 < length) v.z = row[at + 2];
  if (at + 3 < length) v.w = row[at + 3];
  return v;
}

template <class Tile>
__device__ void copy_quads(const matrices& p, std::int64_t row, std::int64_t column, std::int64_t from,
                           slices<Tile>& s) {
  static_assert(Tile::rows * Tile::depth == 4 * Tile::threads && Tile::rows == Tile::columns);
  const int thread = static_cast<int>(threadIdx.x);
  const int r = thread / 2, t = thread % 2 * 4;
  const float4 zero{0, 0, 0, 0};
  const float4 v = row + r < p.m ? quad_of(p.a + (row + r) * p.k, from + t, p.k, p.a_aligned) : zero;
  s.a[t][r] = v.x, s.a[t + 1][r] = v.y, s.a[t + 2][r] = v.z, s.a[t + 3][r] = v.w;
  const int term = thread / 32, c = thread % 32 * 4;
  *reinterpret_cast<float4*>(&s.b[term][c]) =
      from + term < p.k ? quad_of(p.b + (from + term) * p.n, column + c, p.n, p.b_aligned) : zero;
}

template <class Tile>
__device__ void copy_words(const matrices& p, std::int64_t row, std::int64_t column, std::int64_t from,
                           slices<Tile>& s) {
  const int thread = static_cast<int>(threadIdx.x);
#pragma unroll
  for (int i = thread; i < Tile::rows * Tile::depth; i += Tile::threads) {
    const int r = i / Tile::depth, t = i % Tile::depth;
    s.a[r][t] = row + r < p.m && from + t < p.k ? p.a[(row + r) * p.k + from + t] : 0;
  }
#pragma unroll
  for (int i = thread; i < Tile::depth * Tile::columns; i += Tile::threads) {
    const int t = i / Tile::columns, c = i % Tile::columns;
    s.b[t][c] = from + t < p.k && column + c < p.n ? p.b[(from + t) * p.n + column + c] : 0;
  }
}

// Which of `extent` rows or columns of its block a thread's i-th is: in single words neighbouring threads
// have neighbours, in quads neighbouring quads, half a tile apart.
template <class Tile>
__device__ int place(int thread, int i, int each, int extent) {
  if constexpr (Tile::quads) return i / 4 * (extent / 2) + 4 * thread + i % 4;
  return i * (extent / each) + thread;
}

template <int Count>
__device__ void read_quads(const float* line, int thread, int extent, float (&into)[Count]) {
#pragma unroll
  for (int half = 0; half < Count / 4; ++half) {
    const float4 v = *reinterpret_cast<const float4*>(line + half * (extent / 2) + 4 * thread);
    into[4 * half] = v.x, into[4 * half + 1] = v.y, into[4 * half + 2] = v.z, into[4 * half + 3] = v.w;
  }
}

template <class Tile>
__device__ void multiply(const slices<Tile>& s, int x, int y,
                         float (&sum)[Tile::lane_rows][Tile::lane_columns]) {
  // Unrolled over all terms, words of a would come several terms at once, for which registers lack.
  constexpr int unrolled = Tile::quads ? Tile::depth : Tile::lane_columns > 1 ? 1 : 2;
#pragma unroll unrolled
  for (int t = 0; t < Tile::depth; ++t) {
    float a[Tile::lane_rows], b[Tile::lane_columns];
    if constexpr (Tile::quads) {
      read_quads(s.a[t], y, Tile::rows, a);
      read_quads(s.b[t], x, Tile::columns, b);
    } else {
#pragma unroll
      for (int i = 0; i < Tile::lane_rows; ++i) a[i] = s.a[place<Tile>(y, i, Tile::lane_rows, Tile::rows)][t];
#pragma unroll
      for (int j = 0; j < Tile::lane_columns; ++j)
        b[j] = s.b[t][place<Tile>(x, j, Tile::lane_columns, Tile::columns)];
    }
#pragma unroll
    for (int i = 0; i < Tile::lane_rows; ++i)
#pragma unroll
      for (int j = 0; j < Tile::lane_columns; ++j) sum[i][j] = fmaf(a[i], b[j], sum[i][j]);
  }
}

template <class Tile>
__device__ void store(const matrices& p, std::int64_t row, std::int64_t column, int x, int y,
                      const float (&sum)[Tile::lane_rows][Tile::lane_columns]) {
  constexpr int width = Tile::quads ? 4 : 1;
#pragma unroll
  for (int i = 0; i < Tile::lane_rows; ++i) {
    const auto r = row + place<Tile>(y, i, Tile::lane_rows, Tile::rows);
    if (r >= p.m) continue;
#pragma unroll
    for (int j = 0; j < Tile::lane_columns; j += width) {
      const auto c = column + place<Tile>(x, j, Tile::lane_columns, Tile::columns);
      float* const target = p.c + r * p.n + c;
      if (width == 4 && p.c_aligned && c < p.n) {
        *reinterpret_cast<float4*>(target) =
            make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]);
        continue;
      }
#pragma unroll
      for (int e = 0; e < width; ++e)
        if (c + e < p.n) target[e] = sum[i][j + e];
    }
  }
}

template <class Tile>
__global__ void __launch_bounds__(Tile::threads, 2) register_tiles(const matrices p) {
  __shared__ slices<Tile> s;
  const std::int64_t row = std::int64_t{blockIdx.y} * Tile::rows;
  const std::int64_t column = std::int64_t{blockIdx.x} * Tile::columns;
  const int x = static_cast<int>(threadIdx.x) % Tile::threads_across;
  const int y = static_cast<int>(threadIdx.x) / Tile::threads_across;
  float sum[Tile::lane_rows][Tile::lane_columns] = {};
  for (std::int64_t from = 0; from < p.k; from += Tile::depth) {
    if constexpr (Tile::quads) {
      copy_quads<Tile>(p, row, column, from, s);
    } else {
      copy_words<Tile>(p, row, column, from, s);
    }
    __syncthreads();
    multiply<Tile>(s, x, y, sum);
    __syncthreads();
  }
  store<Tile>(p, row, column, x, y, sum);
}

bool in_quads(const void* data, std::int64_t pitch) {
  return pitch % 4 == 0 && reinterpret_cast<std::uintptr_t>(data) % 16 == 0;
}

template <class Tile>
void launch(const workload& w, stream queue) {
  if (w.c.empty()) return;
  const matrices of{w.a.data(),
                    w.b.data(),
                    w.c.data(),
                    w.m,
                    w.n,
                    w.k,
                    in_quads(w.a.data(), w.k),
                    in_quads(w.b.data(), w.n),
                    in_quads(w.c.data(), w.n)};
  const dim3 blocks(gpu::blocks_for(static_cast<std::size_t>(w.n), Tile::columns),
                    gpu::blocks_for(static_cast<std::size_t>(w.m), Tile::rows));
  gpu::launch(register_tiles<Tile>, {blocks, Tile::threads, 0, queue}, of);
}

}  // namespace

void launch_register_column(const workload& w, stream queue) { launch<column_tile>(w, queue); }
void launch_register_square(const workload& w, stream queue) { launch<square_tile>(w, queue); }
void launch_vectors(const workload& w, stream queue) { launch<quad_tile>(w, queue); }

}  // namespace ridge::experiments::ch09_sgemm_ladder
