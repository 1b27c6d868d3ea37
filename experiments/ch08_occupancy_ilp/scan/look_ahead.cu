// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <ridge/gpu/check.hpp>
#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/look_back.cuh>
#include <ridge/gpu/ptx/bulk_copy.cuh>
#include <ridge/gpu/ptx/fence.cuh>
#include <ridge/gpu/ptx/mbarrier.cuh>
#include <ridge/gpu/ptx/shared_address.cuh>

#include "scan.hpp"
#include "tile_scan.cuh"

namespace ridge::experiments::ch08_scan {
namespace {

constexpr unsigned stages = 3;  // tiles of a block that are on the way or in work
constexpr unsigned scanners = 16, adders = 2, warps = 2 + adders + scanners;
constexpr unsigned threads = warps * gpu::warp_lanes;
constexpr unsigned rows = 8;  // of a scanner
constexpr unsigned terms_of_part = rows * terms_of_row;
constexpr unsigned tile = scanners * terms_of_part;  // 64 KiB
constexpr unsigned looks = 4;                        // of a lane at once
constexpr unsigned group = looks * gpu::warp_lanes;  // tiles whose sums are added up as one
constexpr std::size_t shared_bytes = std::size_t{stages} * tile * sizeof(float);

#ifdef __CUDA_ARCH_FEAT_SM90_ALL
namespace ptx = gpu::ptx;

struct arguments {
  const float* terms;
  float* sums;
  std::size_t n;
  unsigned* tickets;
  gpu::published_float* tiles;  // each tile's sum
  unsigned count;               // of tiles
};

// What the warps of a block tell each other of the tile in a stage. A barrier completes a phase for each
// tile.
struct stage_board {
  std::uint64_t full[stages];    // the terms and the tile's index are there
  std::uint64_t added[stages];   // the sums before each part of the tile are there
  std::uint64_t placed[stages];  // the sum of all tiles before is there
  std::uint64_t empty[stages];   // all have done with the stage
  unsigned tile[stages];
  float before_part[stages][scanners];
  float before_tile[stages];
};

// The stage of a block's k-th tile, and waiting for its barriers.
struct turn {
  unsigned stage, parity;
  __device__ explicit turn(unsigned k) : stage(k % stages), parity(k / stages % 2) {}
  __device__ void wait(std::uint64_t (&barriers)[stages]) const {
    ptx::mbarrier_wait_parity(ptx::shared_address(barriers + stage), parity);
  }
  __device__ void arrive(std::uint64_t (&barriers)[stages]) const {
    ptx::mbarrier_arrive(ptx::shared_address(barriers + stage));
  }
};

// The warp that loads. Tiles are drawn in order, so those before a tile are done or in work.
__device__ void load_tiles(const arguments& a, float* ring, stage_board& board, unsigned lane) {
  unsigned drawn = lane == 0 ? atomicAdd(a.tickets, 1) : 0;
  for (unsigned k = 0;; ++k) {
    const unsigned t = __shfl_sync(gpu::all_lanes, drawn, 0);
    if (lane == 0) drawn = atomicAdd(a.tickets, 1);
    const turn now(k);
    if (k >= stages) turn(k - stages).wait(board.empty);
    if (lane == 0) board.tile[now.stage] = t;
    if (t >= a.count) {
      if (lane == 0) now.arrive(board.full);
      return;
    }
    float* target = ring + std::size_t{now.stage} * tile;
    const std::size_t first = std::size_t{t} * tile, left = min(a.n - first, std::size_t{tile});
    const unsigned whole = static_cast<unsigned>(left) / 4 * 4;  // what the copy brings; zeros beyond the end
    for (unsigned i = whole + lane; i < tile; i += gpu::warp_lanes)
      target[i] = i < left ? a.terms[first + i] : 0;
    __syncwarp();
    if (lane != 0) continue;
    const auto barrier = ptx::shared_address(board.full + now.stage);
    const auto bytes = whole * static_cast<unsigned>(sizeof(float));
    ptx::mbarrier_arrive_expect_tx(barrier, bytes);
    if (bytes != 0)
      ptx::cp_async_bulk_shared_global(ptx::shared_address(target), a.terms + first, bytes, barrier);
  }
}

__device__ float4 row_of(const float* part, unsigned r, unsigned lane) {
  return reinterpret_cast<const float4*>(part + r * terms_of_row)[lane];
}

// A warp that adds up every `adders`-th tile and publishes its sum.
__device__ void add_tiles(const arguments& a, const float* ring, stage_board& board, unsigned lane,
                          unsigned rank) {
  for (unsigned k = 0;; ++k) {
    const turn now(k);
    now.wait(board.full);
    const unsigned t = board.tile[now.stage];
    if (t >= a.count) return;
    if (k % adders == rank) {
      float parts[scanners];
#pragma unroll
      for (unsigned p = 0; p < scanners; ++p) {
        const float* part = ring + std::size_t{now.stage} * tile + p * terms_of_part;
        float sum = 0;
#pragma unroll
        for (unsigned r = 0; r < rows; ++r) {
          const float4 v = row_of(part, r, lane);
          sum += (v.x + v.y) + (v.z + v.w);
        }
        parts[p] = sum;
      }
      float before = 0;
#pragma unroll
      for (unsigned p = 0; p < scanners; ++p) {
        if (lane == 0) board.before_part[now.stage][p] = before;
        before += gpu::over_warp(parts[p], gpu::sum_of());
      }
      if (lane == 0) gpu::publish(a.tiles + t, before), now.arrive(board.added);
    }
    __syncwarp();
    if (lane == 0) now.arrive(board.empty);
  }
}

// The sum of the first `count` tiles of the group that begins at `first`.
__device__ float sum_of_group(const gpu::published_float* first, unsigned count, unsigned lane) {
  gpu::published_float seen[looks];
#pragma unroll
  for (unsigned q = 0; q < looks; ++q) {
    const unsigned i = q * gpu::warp_lanes + lane;
    seen[q] = i < count ? gpu::look(first + i) : gpu::published_float{{1, 0}};
  }
  float sum = 0;
#pragma unroll
  for (unsigned q = 0; q < looks; ++q) sum += gpu::await(first + q * gpu::warp_lanes + lane, seen[q]);
  return gpu::over_warp(sum, gpu::sum_of());
}

// The warp that looks ahead: it adds up the sums of all tiles before each of the block's, always by groups,
// so that the result does not depend on which block scans which tile. No block waits for another's scan.
__device__ void place_tiles(const arguments& a, stage_board& board, unsigned lane) {
  float before_group = 0;
  unsigned first = 0;
  for (unsigned k = 0;; ++k) {
    const turn now(k);
    now.wait(board.full);
    const unsigned t = board.tile[now.stage];
    if (t >= a.count) return;
    for (; first + group <= t; first += group) before_group += sum_of_group(a.tiles + first, group, lane);
    const float before = before_group + sum_of_group(a.tiles + first, t - first, lane);
    if (lane == 0) board.before_tile[now.stage] = before, now.arrive(board.placed);
  }
}

// A warp that scans its part of every tile.
__device__ void scan_parts(const arguments& a, const float* ring, stage_board& board, unsigned lane,
                           unsigned rank) {
  for (unsigned k = 0;; ++k) {
    const turn now(k);
    now.wait(board.full);
    const unsigned t = board.tile[now.stage];
    if (t >= a.count) return;
    const float* part = ring + std::size_t{now.stage} * tile + rank * terms_of_part;
    float4 v[rows];
#pragma unroll
    for (unsigned r = 0; r < rows; ++r) v[r] = row_of(part, r, lane);
    scan_rows(v);
    now.wait(board.added);
    now.wait(board.placed);
    const float before = board.before_tile[now.stage] + board.before_part[now.stage][rank];
    __syncwarp();
    if (lane == 0) now.arrive(board.empty);
    store_rows(v, before, a.sums, std::size_t{t} * tile + rank * terms_of_part + 4 * lane, a.n, true);
  }
}
#endif

__global__ void __launch_bounds__(threads, 1)
    scan_looking_ahead([[maybe_unused]] const float* terms, [[maybe_unused]] float* sums,
                       [[maybe_unused]] std::size_t n, [[maybe_unused]] unsigned* tickets,
                       [[maybe_unused]] gpu::published_float* tiles, [[maybe_unused]] unsigned count) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ __align__(128) float ring[];
  __shared__ stage_board board;
  const unsigned lane = threadIdx.x % gpu::warp_lanes, warp = threadIdx.x / gpu::warp_lanes;
  if (threadIdx.x == 0) {
    for (unsigned s = 0; s < stages; ++s) {
      for (auto* barriers : {board.full, board.added, board.placed})
        ptx::mbarrier_init(ptx::shared_address(barriers + s), 1);
      ptx::mbarrier_init(ptx::shared_address(board.empty + s), adders + scanners);
    }
    ptx::fence_mbarrier_init_release_cluster();
  }
  __syncthreads();
  const arguments a{terms, sums, n, tickets, tiles, count};
  if (warp == 0) {
    load_tiles(a, ring, board, lane);
  } else if (warp == 1) {
    place_tiles(a, board, lane);
  } else if (warp < 2 + adders) {
    add_tiles(a, ring, board, lane, warp - 2);
  } else {
    scan_parts(a, ring, board, lane, warp - 2 - adders);
  }
#endif
}

unsigned multiprocessors() {
  int device = 0, count = 0;
  gpu::check(cudaGetDevice(&device), "cudaGetDevice");
  gpu::check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device),
             "cudaDeviceGetAttribute");
  return static_cast<unsigned>(count);
}

}  // namespace

void launch_look_ahead(const workload& w, std::span<std::byte> workspace, stream queue) {
  const auto n = w.terms.size();
  if (n == 0) return;
  if (!in_vectors(w.terms.data(), w.sums.data())) return launch_look_back(w, workspace, queue);
  const unsigned count = gpu::blocks_for(n, tile);
  auto* values = reinterpret_cast<gpu::published_float*>(workspace.data());
  gpu::check(cudaMemsetAsync(values, 0, (1 + std::size_t{count}) * sizeof(*values), queue),
             "cudaMemsetAsync of a workspace");
  gpu::allow_dynamic_shared_memory(scan_looking_ahead, shared_bytes);
  gpu::launch(scan_looking_ahead, {std::min(count, multiprocessors()), threads, shared_bytes, queue},
              w.terms.data(), w.sums.data(), n, reinterpret_cast<unsigned*>(values), values + 1, count);
}

}  // namespace ridge::experiments::ch08_scan
