// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <ridge/gpu/check.hpp>
#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/look_back.cuh>
#include <ridge/gpu/ptx/load_once.cuh>

#include "scan.hpp"
#include "tile_scan.cuh"

namespace ridge::experiments::ch08_scan {
namespace {

constexpr unsigned threads = 384, warps = threads / gpu::warp_lanes;
constexpr unsigned rows = 8;  // of 16 bytes a lane: 144 KiB on the way into a multiprocessor
constexpr unsigned tile = warps * rows * terms_of_row;
// Tiles of a group: the sum before a group is published by the group before it, those within one are added up
// by the block that needs them. Every float is added in an order that depends on its place alone.
constexpr unsigned group = 256;

// The part of a tile that a warp scans, in registers.
struct part_of_warp {
  float4 v[rows];
  std::size_t first;  // index of the lane's first element
  bool vectors;
  __device__ part_of_warp(std::size_t index_of_tile, const float* terms, const float* sums, std::size_t n)
      : first(index_of_tile * tile + threadIdx.x / gpu::warp_lanes * (rows * terms_of_row) +
              threadIdx.x % gpu::warp_lanes * 4),
        vectors(in_vectors(terms, sums)) {
    if (vectors && (index_of_tile + 1) * tile <= n) {
#pragma unroll
      for (unsigned r = 0; r < rows; ++r)
        v[r] = gpu::ptx::ld_global_nc_once(reinterpret_cast<const float4*>(terms + first + r * terms_of_row));
    } else {
#pragma unroll
      for (unsigned r = 0; r < rows; ++r) v[r] = terms_at(terms, first + r * terms_of_row, n);
    }
  }
};

struct place_in_tile {
  float before_warp, of_tile;
};

// The sum of the tile's terms before this thread's warp, and of all: every thread gets them.
__device__ place_in_tile place_of(float of_warp) {
  __shared__ float of_warps[warps];
  if (threadIdx.x % gpu::warp_lanes == 0) of_warps[threadIdx.x / gpu::warp_lanes] = of_warp;
  __syncthreads();
  place_in_tile place{0, 0};
#pragma unroll
  for (unsigned w = 0; w < warps; ++w) {
    if (w == threadIdx.x / gpu::warp_lanes) place.before_warp = place.of_tile;
    place.of_tile += of_warps[w];
  }
  return place;
}

__global__ void __launch_bounds__(threads) add_tiles(const float* terms, std::size_t n, float* of_tiles) {
  part_of_warp part(blockIdx.x, terms, terms, n);
  const auto place = place_of(scan_rows(part.v));
  if (threadIdx.x == 0) of_tiles[blockIdx.x] = place.of_tile;
}

// One block: each tile's sum becomes that of all tiles before it.
__global__ void __launch_bounds__(threads) scan_sums_of_tiles(float* of_tiles, unsigned tiles) {
  float before = 0;
  for (unsigned first = 0; first < tiles; first += threads) {
    const unsigned i = first + threadIdx.x;
    const float own = i < tiles ? of_tiles[i] : 0;
    const float to_here = gpu::inclusive_sum_over_warp(own);
    const auto place = place_of(__shfl_sync(gpu::all_lanes, to_here, gpu::warp_lanes - 1));
    const float before_lane = __shfl_up_sync(gpu::all_lanes, to_here, 1);
    const float in_warp = threadIdx.x % gpu::warp_lanes == 0 ? 0 : before_lane;
    if (i < tiles) of_tiles[i] = before + place.before_warp + in_warp;
    before += place.of_tile;
    __syncthreads();  // the warps' sums have been read
  }
}

__global__ void __launch_bounds__(threads)
    scan_tiles(const float* terms, float* sums, std::size_t n, const float* before_tiles) {
  part_of_warp part(blockIdx.x, terms, sums, n);
  const auto place = place_of(scan_rows(part.v));
  store_rows(part.v, before_tiles[blockIdx.x] + place.before_warp, sums, part.first, n, part.vectors);
}

// What tiles publish. Zero before the launch.
struct published {
  unsigned* tickets;
  gpu::published_float* tiles;   // each tile's sum
  gpu::published_float* groups;  // the sum of all before each group
};

__device__ unsigned next_tile(unsigned* tickets) {
  __shared__ unsigned drawn;
  if (threadIdx.x == 0) drawn = atomicAdd(tickets, 1);
  __syncthreads();
  return drawn;
}

// The sum of all tiles before tile t: the last warp waits for the group's, the others for the tiles'.
__device__ float sum_before(unsigned t, const published& there) {
  __shared__ float seen[warps];
  const unsigned warp = threadIdx.x / gpu::warp_lanes, place = t % group;
  float sum = 0;
  if (warp == warps - 1) {
    if (t >= group) sum = gpu::await(there.groups + t / group);
  } else if (threadIdx.x < place) {
    sum = gpu::await(there.tiles + (t - place) + threadIdx.x);
  }
  if (warp < warps - 1) sum = gpu::over_warp(sum, gpu::sum_of());
  if (threadIdx.x % gpu::warp_lanes == 0) seen[warp] = sum;
  __syncthreads();
  sum = seen[warps - 1];
#pragma unroll
  for (unsigned w = 0; w < warps - 1; ++w) sum += seen[w];
  return sum;
}
static_assert(group <= threads - gpu::warp_lanes);

__global__ void __launch_bounds__(threads)
    scan_looking_back(const float* terms, float* sums, std::size_t n, published there) {
  // Tiles are drawn in order, so those before this one are done or in work.
  const unsigned t = next_tile(there.tickets);
  part_of_warp part(t, terms, sums, n);
  const auto place = place_of(scan_rows(part.v));
  if (threadIdx.x == 0) gpu::publish(there.tiles + t, place.of_tile);
  const float before = sum_before(t, there);
  if (t % group == group - 1 && threadIdx.x == 0)
    gpu::publish(there.groups + t / group + 1, before + place.of_tile);
  store_rows(part.v, before + place.before_warp, sums, part.first, n, part.vectors);
}

unsigned tiles_of(std::size_t n) { return gpu::blocks_for(n, tile); }

}  // namespace

std::size_t workspace_bytes(std::size_t terms) {
  const std::size_t tiles = tiles_of(terms);
  return sizeof(gpu::published_float) * (1 + tiles + tiles / group + 1);
}

void launch_three_kernels(const workload& w, std::span<std::byte> workspace, stream queue) {
  const auto n = w.terms.size();
  if (n == 0) return;
  auto* of_tiles = reinterpret_cast<float*>(workspace.data());
  gpu::launch(add_tiles, {tiles_of(n), threads, 0, queue}, w.terms.data(), n, of_tiles);
  gpu::launch(scan_sums_of_tiles, {1, threads, 0, queue}, of_tiles, tiles_of(n));
  gpu::launch(scan_tiles, {tiles_of(n), threads, 0, queue}, w.terms.data(), w.sums.data(), n, of_tiles);
}

void launch_look_back(const workload& w, std::span<std::byte> workspace, stream queue) {
  const auto n = w.terms.size();
  if (n == 0) return;
  gpu::check(cudaMemsetAsync(workspace.data(), 0, workspace.size(), queue), "cudaMemsetAsync of a workspace");
  auto* values = reinterpret_cast<gpu::published_float*>(workspace.data());
  const published there{reinterpret_cast<unsigned*>(values), values + 1, values + 1 + tiles_of(n)};
  gpu::launch(scan_looking_back, {tiles_of(n), threads, 0, queue}, w.terms.data(), w.sums.data(), n, there);
}

}  // namespace ridge::experiments::ch08_scan
