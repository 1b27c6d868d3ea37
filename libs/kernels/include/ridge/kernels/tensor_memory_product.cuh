// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda.h>
#include <cuda_bf16.h>

#include <ridge/gpu/ptx/bulk_copy.cuh>
#include <ridge/gpu/ptx/cluster.cuh>
#include <ridge/gpu/ptx/elect.cuh>
#include <ridge/gpu/ptx/fence.cuh>
#include <ridge/gpu/ptx/mbarrier.cuh>
#include <ridge/gpu/ptx/shared_address.cuh>
#include <ridge/gpu/ptx/tcgen05.cuh>
#include <ridge/gpu/tcgen05_descriptor.hpp>
#include <ridge/kernels/ring_place.hpp>

// The product c = a bᵀ of bf16 operands on tcgen05 (sm_100a): one thread of the block copies tiles of a and b
// by tensor maps into a ring in shared memory, one begins the products of what has arrived, whose sums stay
// in tensor memory, and four warps load, round and store them.
namespace ridge::kernels {

// What a block makes: 128 rows and `Columns` columns, from a ring of `Stages`. With `Group` 1 by itself; the
// blocks of a cluster are below one another in c, copy a part of b each and send it to all. With 2 a pair
// makes one product of 256 rows: each block holds its own rows of a and half of the rows of b.
template <unsigned Group, unsigned Columns, unsigned Stages, unsigned Cluster = Group>
struct tensor_memory_tile {
  static constexpr unsigned group = Group, columns = Columns, stages = Stages, cluster = Cluster;
  static constexpr unsigned rows = 128, threads = 192;
  static constexpr unsigned row_bytes = 128, terms = row_bytes / 2;  // of a stage
  static constexpr unsigned copied_columns = Columns / Cluster;      // rows of b that a block copies
  static constexpr unsigned copied_bytes = copied_columns * row_bytes;
  static constexpr unsigned a_bytes = rows * row_bytes;
  static constexpr unsigned stage_bytes = a_bytes + Columns / Group * row_bytes;
  static constexpr unsigned leaders = Cluster / Group;  // blocks of the cluster that begin products
  static constexpr std::uint16_t all_ranks = (1U << Cluster) - 1;
  static constexpr unsigned alignment = 1024;  // of the ring: a pattern of the swizzle is 8 rows
  static constexpr unsigned shared_bytes = Stages * stage_bytes + alignment;
  static constexpr unsigned allocated = gpu::tensor_memory_columns(Columns);
  static constexpr std::uint32_t instruction = gpu::tcgen05_instruction({.m = rows * Group, .n = Columns});

  static_assert(gpu::tcgen05_takes(Group, rows* Group, Columns), "shape of the product");
  static_assert(Group == 1 ? Cluster <= 8 : Cluster == 2, "a pair is a cluster of its own here");
  static_assert(Columns % 32 == 0 && copied_columns % 8 == 0, "loads of 32 columns, swizzle of 8 rows");
  static_assert(shared_bytes + 1024 <= 232448, "shared memory of a block");
};

// The product's target. Vectors: its rows begin at multiples of 16 bytes.
struct stored_rows {
  __nv_bfloat16* data = nullptr;
  std::int64_t rows = 0, columns = 0, pitch = 0;
  bool vectors = false;
};

#ifdef __CUDA_ARCH_FEAT_SM100_ALL

// Addresses in the block's shared memory, the same in every block of the cluster.
template <class Tile>
struct tensor_memory_places {
  std::uint32_t ring, barriers;

  // A stage's rows of a, and of b.
  [[nodiscard]] __device__ std::uint32_t a(unsigned stage) const { return ring + stage * Tile::stage_bytes; }
  [[nodiscard]] __device__ std::uint32_t b(unsigned stage) const { return a(stage) + Tile::a_bytes; }

  // Barriers: a stage's bytes have arrived; all who read it have done so; all sums are made.
  [[nodiscard]] __device__ std::uint32_t full(unsigned stage) const { return barriers + 8 * stage; }
  [[nodiscard]] __device__ std::uint32_t empty(unsigned stage) const { return full(Tile::stages + stage); }
  [[nodiscard]] __device__ std::uint32_t made() const { return full(2 * Tile::stages); }
};

// All threads of the cluster meet, and what any did in tensor memory before is done for all behind.
template <class Tile>
__device__ void meet_in_cluster() {
  gpu::ptx::tcgen05_fence_before_thread_sync();
  if constexpr (Tile::cluster == 1) {
    __syncthreads();
  } else {
    gpu::ptx::barrier_cluster_arrive_release();
    gpu::ptx::barrier_cluster_wait_acquire();
  }
  gpu::ptx::tcgen05_fence_after_thread_sync();
}

// The one thread that copies: fills the ring `steps` times a stage.
template <class Tile>
__device__ void copy_operands(const CUtensorMap& a, const CUtensorMap& b, tensor_memory_places<Tile> places,
                              unsigned rank, unsigned steps) {
  const int row = static_cast<int>(blockIdx.x * Tile::rows);
  const int column = static_cast<int>(blockIdx.y * Tile::columns + rank * Tile::copied_columns);
  ring_place<Tile> at;
  for (unsigned step = 0; step < steps; ++step, at.advance()) {
    const int term = static_cast<int>(step * Tile::terms);
    const auto full = places.full(at.stage);
    gpu::ptx::mbarrier_wait_parity(places.empty(at.stage), at.parity ^ 1U);
    if constexpr (Tile::group == 2) {  // all bytes of both complete on the even block's barrier
      if (rank == 0) gpu::ptx::mbarrier_arrive_expect_tx(full, 2 * Tile::stage_bytes);
      const auto of_pair = gpu::ptx::mapa_shared_cluster(full, 0);
      gpu::ptx::cp_async_bulk_tensor_2d_shared_global_pair(places.a(at.stage), &a, term, row, of_pair);
      gpu::ptx::cp_async_bulk_tensor_2d_shared_global_pair(places.b(at.stage), &b, term, column, of_pair);
    } else {
      gpu::ptx::mbarrier_arrive_expect_tx(full, Tile::stage_bytes);
      gpu::ptx::cp_async_bulk_tensor_2d_shared_global(places.a(at.stage), &a, term, row, full);
      const auto part = places.b(at.stage) + rank * Tile::copied_bytes;
      if constexpr (Tile::cluster == 1) {
        gpu::ptx::cp_async_bulk_tensor_2d_shared_global(part, &b, term, column, full);
      } else {
        gpu::ptx::cp_async_bulk_tensor_2d_shared_global_multicast(part, &b, term, column, full,
                                                                  Tile::all_ranks);
      }
    }
  }
}

// The one thread that begins products. A stage is free, for all who copy into it, when the tensor cores have
// read it: tcgen05.commit arrives then.
template <class Tile>
__device__ void begin_products(tensor_memory_places<Tile> places, std::uint32_t sums, unsigned steps) {
  ring_place<Tile> at;
  for (unsigned step = 0; step < steps; ++step, at.advance()) {
    gpu::ptx::mbarrier_wait_parity(places.full(at.stage), at.parity);
    gpu::ptx::tcgen05_fence_after_thread_sync();
#pragma unroll
    for (unsigned i = 0; i < Tile::row_bytes / 32; ++i) {
      gpu::ptx::tcgen05_mma_f16<Tile::group>(sums,
                                             gpu::tcgen05_descriptor_128b_rows(places.a(at.stage) + 32 * i),
                                             gpu::tcgen05_descriptor_128b_rows(places.b(at.stage) + 32 * i),
                                             Tile::instruction, i > 0 || step > 0);
    }
    if constexpr (Tile::cluster == 1) {
      gpu::ptx::tcgen05_commit<1>(places.empty(at.stage));
    } else {
      gpu::ptx::tcgen05_commit_multicast<Tile::group>(places.empty(at.stage), Tile::all_ranks);
    }
  }
  if constexpr (Tile::group == 1) {
    gpu::ptx::tcgen05_commit<1>(places.made());
  } else {
    gpu::ptx::tcgen05_commit_multicast<2>(places.made(), Tile::all_ranks);
  }
}

// Two sums rounded to bf16, x in the low half.
__device__ inline std::uint32_t rounded_pair(std::uint32_t x, std::uint32_t y) {
  const __nv_bfloat162 pair = __floats2bfloat162_rn(__uint_as_float(x), __uint_as_float(y));
  return reinterpret_cast<const std::uint32_t&>(pair);
}

// Rounds and stores 32 sums of a row, of which `count` columns are left.
__device__ inline void store_run(__nv_bfloat16* target, std::int64_t count, bool vectors,
                                 const std::uint32_t (&sums)[32]) {
  std::uint32_t pairs[16];
#pragma unroll
  for (unsigned i = 0; i < 16; ++i) pairs[i] = rounded_pair(sums[2 * i], sums[2 * i + 1]);
#pragma unroll
  for (unsigned i = 0; i < 16; i += 4) {
    if (vectors && 2 * i + 8 <= count) {
      *reinterpret_cast<uint4*>(target + 2 * i) = {pairs[i], pairs[i + 1], pairs[i + 2], pairs[i + 3]};
      continue;
    }
#pragma unroll
    for (unsigned k = 2 * i; k < 2 * i + 8; ++k)
      if (k < count)
        target[k] = __ushort_as_bfloat16(static_cast<unsigned short>(pairs[k / 2] >> 16 * (k % 2)));
  }
}

// Four warps: a thread stores the row of its lane in tensor memory, 64 bytes at a time.
template <class Tile>
__device__ void store_sums(const stored_rows& c, std::uint32_t sums) {
  const std::int64_t row = std::int64_t{blockIdx.x} * Tile::rows + threadIdx.x;
  const std::int64_t column = std::int64_t{blockIdx.y} * Tile::columns;
#pragma unroll 1
  for (unsigned begin = 0; begin < Tile::columns; begin += 32) {
    std::uint32_t words[32];
    gpu::ptx::tcgen05_ld_32x32b_x32(gpu::tensor_memory_address(sums, threadIdx.x / 32 * 32, begin), words);
    gpu::ptx::tcgen05_wait_ld(words);
    if (row < c.rows)
      store_run(c.data + row * c.pitch + column + begin, c.columns - column - begin, c.vectors, words);
  }
}

#endif

// The product's kernel; a block for each tile, in clusters along x. `steps` stages of terms, one at least.
template <class Tile>
__global__ void __launch_bounds__(Tile::threads, 1)
    product_in_tensor_memory([[maybe_unused]] const __grid_constant__ CUtensorMap a,
                             [[maybe_unused]] const __grid_constant__ CUtensorMap b,
                             [[maybe_unused]] const stored_rows c, [[maybe_unused]] unsigned steps) {
#ifdef __CUDA_ARCH_FEAT_SM100_ALL
  extern __shared__ std::byte shared[];
  __shared__ std::uint64_t barriers[2 * Tile::stages + 1];
  __shared__ std::uint32_t sums;
  const unsigned warp = threadIdx.x / 32, rank = Tile::cluster == 1 ? 0 : gpu::ptx::cluster_ctarank();
  const auto begin = gpu::ptx::shared_address(shared) + Tile::alignment - 1;
  const tensor_memory_places<Tile> places{begin - begin % Tile::alignment,
                                          gpu::ptx::shared_address(barriers)};
  if (warp == 0) {
    gpu::ptx::tcgen05_alloc<Tile::group>(gpu::ptx::shared_address(&sums), Tile::allocated);
    gpu::ptx::tcgen05_relinquish_alloc_permit<Tile::group>();
  } else if (warp == 1 && gpu::ptx::elect_sync()) {
    for (unsigned i = 0; i < Tile::stages; ++i) {
      gpu::ptx::mbarrier_init(places.full(i), 1);
      gpu::ptx::mbarrier_init(places.empty(i), Tile::leaders);
    }
    gpu::ptx::mbarrier_init(places.made(), 1);
    gpu::ptx::fence_mbarrier_init_release_cluster();
  }
  __syncwarp();
  meet_in_cluster<Tile>();
  if (warp < 4) {
    gpu::ptx::mbarrier_wait_parity(places.made(), 0);
    gpu::ptx::tcgen05_fence_after_thread_sync();
    store_sums<Tile>(c, sums);
  } else if (warp == 4) {
    if (gpu::ptx::elect_sync()) copy_operands<Tile>(a, b, places, rank, steps);
  } else if (rank % Tile::group == 0) {
    if (gpu::ptx::elect_sync()) begin_products<Tile>(places, sums, steps);
  }
  __syncwarp();
  meet_in_cluster<Tile>();  // the sums are read, and nobody arrives at the barriers of a block that has ended
  if (warp == 0) gpu::ptx::tcgen05_dealloc<Tile::group>(sums, Tile::allocated);
#endif
}

}  // namespace ridge::kernels
