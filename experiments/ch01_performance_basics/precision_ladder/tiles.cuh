// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/ptx/async_copy.cuh>
#include <ridge/gpu/ptx/shared_address.cuh>
#include <ridge/gpu/wgmma_descriptor.hpp>

#include "precision_ladder.hpp"

namespace ridge::experiments::ch01_precision_ladder {

// Shared by the kernels on matrix instructions. A block of 128 threads makes a tile of 128 x 128 sums; rows
// of the operands come in stages of 128 bytes, whatever the type, by cp.async into a ring of three in shared
// memory. The 16-byte parts of a row change places by the row's number (part ^ row % 8), so that eight rows
// of one part lie in different banks; it is also the order that wgmma calls 128-byte swizzle.
inline constexpr int tile = 128, tile_threads = 128, stages = 3;
inline constexpr int row_bytes = 128;
inline constexpr int operand_bytes = tile * row_bytes;  // bytes of an operand in one stage
inline constexpr int stage_bytes = 2 * operand_bytes;
inline constexpr int ring_bytes = stages * stage_bytes;
inline constexpr int ring_alignment = 1024;  // a pattern of the swizzle is 8 rows
static_assert(tile == padded_rows_to && row_bytes == padded_bytes_to);

struct tile_problem {
  const std::byte* a;
  const std::byte* b;
  float* c;
  const float* scales;  // null, or padded_operands' two: the sums are multiplied by both
  std::int64_t m, n, pitch;
  unsigned tiles_down, tiles_across;
  bool pairs;  // rows of c begin on 8 bytes
};

struct tile_place {
  int row, column;
};

__device__ inline int thread_index() { return static_cast<int>(threadIdx.x); }

// Returns the number of stages that the operands' rows come in.
__device__ inline int steps_of(const tile_problem& problem) {
  return static_cast<int>(problem.pitch / row_bytes);
}

// Returns the address of a stage's place in the ring in shared memory.
__device__ inline unsigned stage_in(unsigned ring, int stage) {
  return ring + static_cast<unsigned>(stage % stages * stage_bytes);
}

// Blocks that run together take tiles of eight rows of tiles, column by column, so that they share operands
// in the second-level cache.
__device__ inline tile_place place_of_block(const tile_problem& problem) {
  constexpr unsigned group = 8;
  const unsigned in_group = group * problem.tiles_across;
  const unsigned first = blockIdx.x / in_group * group;
  const unsigned rows = min(group, problem.tiles_down - first);
  const unsigned inside = blockIdx.x % in_group;
  return {static_cast<int>((first + inside % rows) * tile), static_cast<int>(inside / rows * tile)};
}

__device__ inline unsigned swizzled(int row, int part) {
  return gpu::swizzled_128b_offset(static_cast<unsigned>(row), static_cast<unsigned>(part));
}

__device__ inline void copy_rows(const std::byte* source, std::int64_t pitch, unsigned target) {
  constexpr int parts = row_bytes / 16, rows_at_once = tile_threads / parts;
  static_assert(rows_at_once % 8 == 0, "a thread's rows share their swizzle");
  const int row = thread_index() / parts, part = thread_index() % parts;
  source += row * pitch + part * 16, target += swizzled(row, part);
#pragma unroll
  for (int i = 0; i < tile / rows_at_once; ++i) {
    gpu::ptx::cp_async_cg_16(target, source);
    source += rows_at_once * pitch, target += rows_at_once * row_bytes;
  }
}

// Begins to copy the ring's next stage, if there is one; a group of copies is closed either way.
__device__ inline void begin_stage(const tile_problem& problem, tile_place place, unsigned ring, int stage) {
  if (std::int64_t{stage} * row_bytes < problem.pitch) {
    const unsigned into = stage_in(ring, stage);
    copy_rows(problem.a + place.row * problem.pitch + stage * row_bytes, problem.pitch, into);
    copy_rows(problem.b + place.column * problem.pitch + stage * row_bytes, problem.pitch,
              into + operand_bytes);
  }
  gpu::ptx::cp_async_commit_group();
}

__device__ inline void wait_for_oldest_stage() { gpu::ptx::cp_async_wait_group<stages - 2>(); }

// Stores two neighbouring sums of a row of c.
__device__ inline void store_two(const tile_problem& problem, std::int64_t row, std::int64_t column, float x,
                                 float y) {
  if (row >= problem.m || column >= problem.n) return;
  float* const to = problem.c + row * problem.n + column;
  if (problem.pairs) {
    *reinterpret_cast<float2*>(to) = {x, y};
    return;
  }
  to[0] = x;
  if (column + 1 < problem.n) to[1] = y;
}

// Launches one block of `kernel` per tile of c; writes zeros where the sums have no terms.
inline void launch_tiles(void (*kernel)(tile_problem), const workload& w, const padded_operands& operands,
                         stream queue) {
  if (w.c.empty()) return;
  if (w.k == 0) {
    gpu::check(cudaMemsetAsync(w.c.data(), 0, w.c.size_bytes(), queue), "cudaMemsetAsync of the product");
    return;
  }
  const auto down = gpu::blocks_for(as_count(w.m), tile);
  const auto across = gpu::blocks_for(as_count(w.n), tile);
  const bool pairs = w.n % 2 == 0 && reinterpret_cast<std::uintptr_t>(w.c.data()) % 8 == 0;
  constexpr std::size_t bytes = ring_bytes + ring_alignment;
  gpu::allow_dynamic_shared_memory(kernel, bytes);
  gpu::launch(kernel, {down * across, tile_threads, bytes, queue},
              tile_problem{operands.a.data(), operands.b.data(), w.c.data(),
                           operands.scales.empty() ? nullptr : operands.scales.data(), w.m, w.n,
                           operands.pitch, down, across, pairs});
}

__device__ inline unsigned aligned_ring(const void* dynamic) {
  return (gpu::ptx::shared_address(dynamic) + ring_alignment - 1) / ring_alignment * ring_alignment;
}

__device__ inline float scale_of_sums(const tile_problem& problem) {
  return problem.scales ? problem.scales[0] * problem.scales[floats_a_scale] : 1.0F;
}

}  // namespace ridge::experiments::ch01_precision_ladder
