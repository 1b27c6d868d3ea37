// SPDX-License-Identifier: Apache-2.0
#include <ridge/gpu/launch.cuh>

#include "bank_conflicts.hpp"

namespace ridge::experiments::ch06_bank_conflicts {
namespace {

constexpr unsigned lanes = side;
constexpr unsigned tiles_of_block = 4;  // a warp each
constexpr unsigned threads = tiles_of_block * lanes;

// Where each layout keeps element (row, column) of a tile, in words.
struct strided {
  static constexpr unsigned words = tile_elements;
  __device__ static unsigned at(unsigned row, unsigned column) { return row * lanes + column; }
};
struct padded {
  static constexpr unsigned words = lanes * (lanes + 1);
  __device__ static unsigned at(unsigned row, unsigned column) { return row * (lanes + 1) + column; }
};
struct swizzled {
  static constexpr unsigned words = tile_elements;
  __device__ static unsigned at(unsigned row, unsigned column) { return row * lanes + (column ^ row); }
};
// Quads of columns are exchanged, so that four neighbouring elements stay neighbours.
struct swizzled_quads {
  static constexpr unsigned words = tile_elements;
  __device__ static unsigned at(unsigned row, unsigned column) {
    return row * lanes + (((column / 4) ^ (row % 8)) * 4 + column % 4);
  }
};

// Lane c holds column c. It writes its element of each row, then reads row c: 32 rows at one column. The
// words are volatile, or else the compiler would read four of a row at once where they are neighbours.
template <class Layout>
__device__ void transpose(float (&v)[side], volatile float* tile, unsigned lane) {
#pragma unroll
  for (unsigned r = 0; r < side; ++r) tile[Layout::at(r, lane)] = v[r];
  __syncwarp();
#pragma unroll
  for (unsigned c = 0; c < side; ++c) v[c] = tile[Layout::at(lane, c)];
  __syncwarp();
}

// The column of a lane is written as a row, four elements a store, and read as a column.
template <>
__device__ void transpose<swizzled_quads>(float (&v)[side], volatile float* words, unsigned lane) {
  auto* tile = const_cast<float*>(words);
  auto* row = reinterpret_cast<float4*>(tile) + lane * (lanes / 4);
#pragma unroll
  for (unsigned q = 0; q < lanes / 4; ++q) {
    row[q ^ lane % 8] = make_float4(v[4 * q], v[4 * q + 1], v[4 * q + 2], v[4 * q + 3]);
  }
  __syncwarp();
#pragma unroll
  for (unsigned c = 0; c < side; ++c) v[c] = tile[swizzled_quads::at(c, lane)];
  __syncwarp();
}

template <class Layout>
__global__ void __launch_bounds__(threads)
    transpose_tiles(const float* source, float* target, std::size_t tiles, unsigned passes) {
  __shared__ __align__(16) float shared[tiles_of_block][Layout::words];
  const unsigned warp = threadIdx.x / lanes, lane = threadIdx.x % lanes;
  const std::size_t tile = blockIdx.x * std::size_t{tiles_of_block} + warp;
  if (tile >= tiles) return;
  source += tile * tile_elements + lane;
  target += tile * tile_elements + lane;
  float v[side];
#pragma unroll
  for (unsigned r = 0; r < side; ++r) v[r] = __ldcs(source + r * lanes);
#pragma unroll 1
  for (unsigned pass = 0; pass < passes; ++pass) transpose<Layout>(v, shared[warp], lane);
#pragma unroll
  for (unsigned r = 0; r < side; ++r) __stcs(target + r * lanes, v[r]);
}

template <class Layout>
void launch_tiles(const workload& w, stream queue) {
  const auto tiles = w.source.size() / tile_elements;
  if (tiles == 0) return;
  gpu::launch(transpose_tiles<Layout>, {gpu::blocks_for(tiles, tiles_of_block), threads, 0, queue},
              w.source.data(), w.target.data(), tiles, as_unsigned(w.passes));
}

}  // namespace

void launch_strided(const workload& w, stream queue) { launch_tiles<strided>(w, queue); }
void launch_padded(const workload& w, stream queue) { launch_tiles<padded>(w, queue); }
void launch_swizzled(const workload& w, stream queue) { launch_tiles<swizzled>(w, queue); }
void launch_swizzled_vectors(const workload& w, stream queue) { launch_tiles<swizzled_quads>(w, queue); }

}  // namespace ridge::experiments::ch06_bank_conflicts
