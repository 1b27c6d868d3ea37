// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>

#include <ridge/base/error.hpp>
#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/ptx/async_copy.cuh>
#include <ridge/gpu/ptx/bulk_copy.cuh>
#include <ridge/gpu/ptx/fence.cuh>
#include <ridge/gpu/ptx/mbarrier.cuh>
#include <ridge/gpu/ptx/shared_address.cuh>
#include <ridge/gpu/reduce.cuh>
#include <ridge/gpu/tensor_map.hpp>

#include "tma_2d_pipeline.hpp"

namespace ridge::experiments::ch10_tma_2d_pipeline {
namespace {

namespace ptx = gpu::ptx;
using gpu::warp_lanes;

constexpr unsigned tile_side = side, warps = 8, threads = warps * warp_lanes;
constexpr unsigned rows_of_warp = tile_side / warps;
constexpr unsigned tile_quads = tile_side * tile_side / 4, quads_of_row = tile_side / 4;
constexpr unsigned tile_bytes = tile_quads * sizeof(float4);

struct tiled_matrix {
  const float* matrix;
  float *row_maxima, *column_maxima;
  unsigned rows, columns;
  std::size_t pitch;
  unsigned across, tiles;
};

// What the warps found in the columns of a tile. There are two, so that a tile's may still be read while the
// next one's are written.
struct column_parts {
  uint2 pairs[2][warps][warp_lanes];
};

// The work on a tile, by every kernel: a warp takes eight rows, a lane two columns of each. Magnitudes are in
// the order of their bits. When it returns all threads have read the tile.
__device__ void take_tile(const float4* tile, const tiled_matrix& m, unsigned number, column_parts& parts,
                          unsigned turn) {
  const unsigned warp = threadIdx.x / warp_lanes, lane = threadIdx.x % warp_lanes;
  const unsigned tile_row = number / m.across, tile_column = number % m.across;
  const auto* pairs = reinterpret_cast<const float2*>(tile) + warp * rows_of_warp * warp_lanes + lane;
  uint2 of_columns{};
  unsigned of_row = 0;
#pragma unroll
  for (unsigned i = 0; i < rows_of_warp; ++i) {
    const float2 pair = pairs[i * warp_lanes];
    const unsigned x = __float_as_uint(fabsf(pair.x)), y = __float_as_uint(fabsf(pair.y));
    of_columns = {max(of_columns.x, x), max(of_columns.y, y)};
    const unsigned most = __reduce_max_sync(~0U, max(x, y));
    if (lane == i) of_row = most;
  }
  const unsigned row = tile_row * tile_side + warp * rows_of_warp + lane;
  if (lane < rows_of_warp && row < m.rows)
    m.row_maxima[tile_column * std::size_t{m.rows} + row] = __uint_as_float(of_row);
  parts.pairs[turn][warp][lane] = of_columns;
  __syncthreads();
  const unsigned column = tile_column * tile_side + threadIdx.x;
  if (threadIdx.x >= tile_side || column >= m.columns) return;
  unsigned most = 0;
#pragma unroll
  for (unsigned w = 0; w < warps; ++w)
    most = max(most, reinterpret_cast<const unsigned*>(parts.pairs[turn][w])[threadIdx.x]);
  m.column_maxima[tile_row * std::size_t{m.columns} + column] = __uint_as_float(most);
}

// Where four elements of a tile lie, and how many bytes of them the matrix has.
struct quad_place {
  const float* source;
  int bytes;

  __device__ quad_place(const tiled_matrix& m, unsigned number, unsigned quad) {
    const unsigned y = number / m.across * tile_side + quad / quads_of_row;
    const unsigned x = number % m.across * tile_side + 4 * (quad % quads_of_row);
    const bool inside = y < m.rows && x < m.columns;
    source = inside ? m.matrix + y * m.pitch + x : m.matrix;
    bytes = inside ? 4 * static_cast<int>(min(4U, m.columns - x)) : 0;
  }
  __device__ float4 loaded() const {
    if (bytes == 0) return {};
    const float4 all = __ldg(reinterpret_cast<const float4*>(source));
    return {all.x, bytes > 4 ? all.y : 0, bytes > 8 ? all.z : 0, bytes > 12 ? all.w : 0};
  }
};

__global__ void __launch_bounds__(threads) synchronous_tiles(const tiled_matrix m) {
  __shared__ float4 tile[tile_quads];
  __shared__ column_parts parts;
  unsigned turn = 0;
  for (unsigned number = blockIdx.x; number < m.tiles; number += gridDim.x, turn ^= 1U) {
    float4 coming[tile_quads / threads];
#pragma unroll
    for (unsigned i = 0; i < tile_quads / threads; ++i)
      coming[i] = quad_place(m, number, i * threads + threadIdx.x).loaded();
#pragma unroll
    for (unsigned i = 0; i < tile_quads / threads; ++i) tile[i * threads + threadIdx.x] = coming[i];
    __syncthreads();
    take_tile(tile, m, number, parts, turn);
  }
}

// A thread counts a group for each tile, whether there is one to copy or not.
template <unsigned Stages>
__global__ void __launch_bounds__(threads, 1) async_copy_tiles(const tiled_matrix m) {
  extern __shared__ __align__(128) float4 ring[];
  __shared__ column_parts parts;
  const auto copy = [&](unsigned number, unsigned stage) {
    if (number < m.tiles) {
#pragma unroll
      for (unsigned quad = threadIdx.x; quad < tile_quads; quad += threads) {
        const quad_place place(m, number, quad);
        ptx::cp_async_cg_16(ptx::shared_address(ring + stage * tile_quads + quad), place.source, place.bytes);
      }
    }
    ptx::cp_async_commit_group();
  };
  for (unsigned i = 0; i < Stages; ++i) copy(blockIdx.x + i * gridDim.x, i);
  unsigned stage = 0, turn = 0;
  for (unsigned number = blockIdx.x; number < m.tiles; number += gridDim.x, turn ^= 1U) {
    ptx::cp_async_wait_group<Stages - 1>();
    __syncthreads();
    take_tile(ring + stage * tile_quads, m, number, parts, turn);
    copy(number + Stages * gridDim.x, stage);
    if (++stage == Stages) stage = 0;
  }
}

// The next tile that nobody has taken, of those behind the first `given`, from a counter that is zero before
// a launch and after it: it wraps when each block has been told once that there are no more.
[[maybe_unused]] __device__ unsigned take_number(const tiled_matrix& m, unsigned given, unsigned* counter) {
  const unsigned left = m.tiles > given ? m.tiles - given : 0;
  return given + atomicInc(counter, left + gridDim.x - 1);
}

// One thread copies, one that has no columns to finish. The copies bring zeros for what lies beyond the
// matrix. Tiles are dealt to blocks in turn, or, where there is a counter, as blocks become free; the number
// of the next is asked for while the tile before it is worked on.
template <unsigned Stages, bool Counted>
__global__ void __launch_bounds__(threads, 1)
    tensor_copy_tiles([[maybe_unused]] const __grid_constant__ CUtensorMap map,
                      [[maybe_unused]] const tiled_matrix m, [[maybe_unused]] unsigned* counter) {
#if __CUDA_ARCH__ >= 900
  extern __shared__ __align__(128) float4 ring[];
  __shared__ column_parts parts;
  __shared__ std::uint64_t barriers[Stages];
  __shared__ unsigned numbers[Stages];  // of the tiles in the ring; behind the last one there are none
  const bool copies = threadIdx.x == threads - warp_lanes;
  const auto arrived = ptx::shared_address(barriers), tiles = ptx::shared_address(ring);
  const unsigned given = Stages * gridDim.x;
  const auto copy = [&](unsigned number, unsigned stage) {
    numbers[stage] = number;
    if (number >= m.tiles) return ptx::mbarrier_arrive(arrived + 8 * stage);
    ptx::mbarrier_arrive_expect_tx(arrived + 8 * stage, tile_bytes);
    ptx::cp_async_bulk_tensor_2d_shared_global(
        tiles + stage * tile_bytes, &map, static_cast<int>(number % m.across * tile_side),
        static_cast<int>(number / m.across * tile_side), arrived + 8 * stage);
  };
  unsigned next = blockIdx.x + given;
  if (copies) {
    for (unsigned i = 0; i < Stages; ++i) ptx::mbarrier_init(arrived + 8 * i, 1);
    ptx::fence_mbarrier_init_release_cluster();
    for (unsigned i = 0; i < Stages; ++i) copy(blockIdx.x + i * gridDim.x, i);
    if (Counted) next = take_number(m, given, counter);
  }
  __syncthreads();
  unsigned stage = 0, parity = 0;
  for (unsigned turn = 0;; turn ^= 1U) {
    ptx::mbarrier_wait_parity(arrived + 8 * stage, parity);
    const unsigned number = numbers[stage];
    if (number >= m.tiles) break;
    take_tile(ring + stage * tile_quads, m, number, parts, turn);
    if (copies) {
      copy(next, stage);
      if (!Counted) next += gridDim.x;
      if (Counted && next < m.tiles) next = take_number(m, given, counter);
    }
    if (++stage == Stages) stage = 0, parity ^= 1U;
  }
#endif
}

tiled_matrix tiled(const workload& w) {
  const auto across = tiles_along(w.columns);
  return {w.matrix.data(),
          w.row_maxima.data(),
          w.column_maxima.data(),
          static_cast<unsigned>(w.rows),
          static_cast<unsigned>(w.columns),
          w.pitch,
          static_cast<unsigned>(across),
          static_cast<unsigned>(across * tiles_along(w.rows))};
}

// One block a multiprocessor, which has room for more: as in kernels whose blocks need most of it.
unsigned resident_blocks(const tiled_matrix& m) {
  const unsigned most = gpu::multiprocessors();
  return m.tiles < most ? m.tiles : most;
}

template <unsigned Stages>
void launch_async(const tiled_matrix& m, stream queue) {
  gpu::allow_dynamic_shared_memory(async_copy_tiles<Stages>, Stages * tile_bytes);
  gpu::launch(async_copy_tiles<Stages>, {resident_blocks(m), threads, Stages * tile_bytes, queue}, m);
}

template <unsigned Stages, bool Counted>
void launch_tensor(const CUtensorMap& map, const tiled_matrix& m, unsigned* counter, stream queue) {
  constexpr auto kernel = tensor_copy_tiles<Stages, Counted>;
  gpu::allow_dynamic_shared_memory(kernel, Stages * tile_bytes);
  gpu::launch(kernel, {resident_blocks(m), threads, Stages * tile_bytes, queue}, map, m, counter);
}

CUtensorMap map_of(const workload& w) {
  return gpu::make_tensor_map({.data = w.matrix.data(),
                               .rows = w.rows,
                               .columns = w.columns,
                               .row_bytes = w.pitch * sizeof(float),
                               .box_rows = tile_side,
                               .box_columns = tile_side});
}

[[noreturn]] void refuse_stages(const char* choose) {
  throw unavailable("a ring of this many stages", choose);
}

}  // namespace

void launch_block_per_tile(const workload& w, stream queue) {
  if (w.matrix.empty()) return;
  const auto m = tiled(w);
  gpu::launch(synchronous_tiles, {m.tiles, threads, 0, queue}, m);
}

void launch_resident_block(const workload& w, stream queue) {
  if (w.matrix.empty()) return;
  const auto m = tiled(w);
  gpu::launch(synchronous_tiles, {resident_blocks(m), threads, 0, queue}, m);
}

void launch_async_copies(const workload& w, unsigned stages, stream queue) {
  if (w.matrix.empty()) return;
  const auto m = tiled(w);
  if (stages == 2) return launch_async<2>(m, queue);
  if (stages == 3) return launch_async<3>(m, queue);
  refuse_stages("choose 2 or 3");
}

void launch_tensor_copies(const workload& w, unsigned stages, stream queue) {
  if (w.matrix.empty()) return;
  const auto m = tiled(w);
  const auto map = map_of(w);
  if (stages == 2) return launch_tensor<2, false>(map, m, nullptr, queue);
  if (stages == 3) return launch_tensor<3, false>(map, m, nullptr, queue);
  if (stages == 4) return launch_tensor<4, false>(map, m, nullptr, queue);
  if (stages == 6) return launch_tensor<6, false>(map, m, nullptr, queue);
  refuse_stages("choose 2, 3, 4 or 6");
}

void launch_counted_copies(const workload& w, unsigned* counter, stream queue) {
  if (!w.matrix.empty()) launch_tensor<4, true>(map_of(w), tiled(w), counter, queue);
}

}  // namespace ridge::experiments::ch10_tma_2d_pipeline
