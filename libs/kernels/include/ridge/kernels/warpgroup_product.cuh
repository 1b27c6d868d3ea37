// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <cuda.h>
#include <cuda_bf16.h>

#include <ridge/gpu/ptx/barrier.cuh>
#include <ridge/gpu/ptx/bulk_copy.cuh>
#include <ridge/gpu/ptx/cluster.cuh>
#include <ridge/gpu/ptx/fence.cuh>
#include <ridge/gpu/ptx/matrix.cuh>
#include <ridge/gpu/ptx/mbarrier.cuh>
#include <ridge/gpu/ptx/setmaxnreg.cuh>
#include <ridge/gpu/ptx/shared_address.cuh>
#include <ridge/gpu/ptx/wgmma.cuh>
#include <ridge/gpu/wgmma_descriptor.hpp>
#include <ridge/kernels/ring_place.hpp>
#include <ridge/kernels/tile_order.hpp>

// The product c = a bᵀ by warpgroups with roles (sm_90a): one thread of the block copies tiles of a and b by
// tensor maps into a ring in shared memory, and warpgroups multiply what has arrived. An experiment chooses
// the tile, the cluster, the order of tiles and what becomes of the sums.
namespace ridge::kernels {

struct bf16_operand {
  static constexpr unsigned bytes = 2;
  static constexpr CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
};

struct e4m3_operand {
  static constexpr unsigned bytes = 1;
  static constexpr CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_UINT8;
};

// How sums leave: every thread stores its own, or through shared memory by tensor map.
enum class store_by { threads, tensor_map };

// Whether consumers share a tile's rows, or take tiles in turn: while one stores its sums the other
// multiplies.
enum class consumers_take { rows, turns };

// A block's tile and its means. `Consumers` warpgroups make `Blocks` times 64 rows each and `Columns`
// columns; the ring has `Stages`. Blocks of a cluster of `Down` x `Across` tiles share their copies of a and
// b. Sums are stored through boxes of `BoxColumns` columns, `Boxes` of them at once.
template <class Operand, unsigned Consumers, unsigned Blocks, unsigned Columns, unsigned Stages,
          unsigned Down = 1, unsigned Across = 1, store_by Store = store_by::tensor_map,
          unsigned BoxColumns = 64, unsigned Boxes = 2, consumers_take Take = consumers_take::rows>
struct product_tile {
  using operand = Operand;
  static constexpr unsigned consumers = Consumers, blocks = Blocks, stages = Stages;
  static constexpr bool in_turns = Take == consumers_take::turns;
  static constexpr unsigned readers = in_turns ? 1 : Consumers;  // consumers of one stage
  static constexpr unsigned rows = 64 * Blocks * readers, columns = Columns;
  static constexpr unsigned down = Down, across = Across, cluster = Down * Across;
  static constexpr store_by store = Store;
  static constexpr unsigned box_columns = BoxColumns, boxes = Boxes;

  static constexpr unsigned threads = 128 * (Consumers + 1);
  static constexpr unsigned row_bytes = 128, terms = row_bytes / Operand::bytes;  // of a stage
  static constexpr unsigned a_bytes = rows * row_bytes, stage_bytes = a_bytes + columns * row_bytes;
  static constexpr unsigned box_bytes = 16 * BoxColumns * 2;
  static constexpr unsigned warp_bytes = Store == store_by::threads ? 0 : Boxes * box_bytes;
  static constexpr unsigned boxes_at = Stages * stage_bytes;
  static constexpr unsigned barriers_at = boxes_at + 4 * Consumers * warp_bytes;
  static constexpr unsigned alignment = 1024;  // of the ring: a pattern of the swizzle is 8 rows
  static constexpr unsigned shared_bytes = barriers_at + 2 * 8 * Stages + alignment;

  // Of a thread, out of 65536 for the block; more than 128 sums leave consumers no register to spare.
  static constexpr bool most_sums = Blocks * Columns > 256;
  static constexpr int producer_registers = Consumers == 3 ? 32 : most_sums ? 24 : 40;
  static constexpr int consumer_registers = Consumers == 3 ? 160 : most_sums ? 240 : 232;
  static_assert(shared_bytes <= 232448, "shared memory of a block");
  static_assert(Columns % (BoxColumns * Boxes) == 0 && (BoxColumns == 64 || BoxColumns / 8 % 2 == 1),
                "rows of a box fall into different banks");
  static_assert(BoxColumns * Boxes % 16 == 0, "one stmatrix stores 16 columns");
};

// The product's target where threads store their own sums.
struct stored_matrix {
  __nv_bfloat16* data = nullptr;
  std::int64_t rows = 0, columns = 0, pitch = 0;
  bool pairs = false;  // rows begin at multiples of four bytes
};

// Sums of split tiles: room for one tile a block, and a word for each of its consumer warps that is 1 while
// its sums wait there; zero before the first launch and after each.
struct partial_sums {
  float4* sums = nullptr;
  std::uint32_t* ready = nullptr;
};

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

// Waits until the barrier's phase of that parity is complete.
__device__ inline void wait_for_phase(std::uint32_t barrier, std::uint32_t parity) {
  while (!gpu::ptx::mbarrier_try_wait_parity(barrier, parity)) {
  }
}

// Places in the block's shared memory.
template <class Tile>
struct shared_places {
  std::uint32_t base;
  // A stage's rows of a.
  __device__ std::uint32_t a(unsigned stage) const { return base + stage * Tile::stage_bytes; }
  // A stage's rows of b.
  __device__ std::uint32_t b(unsigned stage) const { return a(stage) + Tile::a_bytes; }
  // Completes when a stage's bytes have arrived.
  __device__ std::uint32_t full(unsigned stage) const { return base + Tile::barriers_at + 8 * stage; }
  // Completes when all that read the stage or what is copied with it have done so.
  __device__ std::uint32_t empty(unsigned stage) const { return full(stage) + 8 * Tile::stages; }
  // Where a warp of a consumer writes sums that are to be copied out.
  __device__ std::uint32_t boxes(unsigned consumer_warp) const {
    return base + Tile::boxes_at + consumer_warp * Tile::warp_bytes;
  }
};

// The places in the block's dynamic shared memory, from the first aligned one on.
template <class Tile>
__device__ shared_places<Tile> places_in(const void* dynamic) {
  return {(gpu::ptx::shared_address(dynamic) + Tile::alignment - 1) & ~(Tile::alignment - 1)};
}

// Where a block stands in its cluster, whose ranks run down the rows first.
template <class Tile>
struct cluster_place {
  unsigned rank = 0;
  // Row of tiles within the cluster.
  __device__ unsigned row() const { return rank % Tile::down; }
  // Column of tiles within the cluster.
  __device__ unsigned column() const { return rank / Tile::down; }
  // Ranks that need the same rows of a, a bit for each.
  __device__ std::uint16_t row_ranks() const {
    unsigned ranks = 0;
    for (unsigned i = 0; i < Tile::across; ++i) ranks |= 1U << (i * Tile::down);
    return static_cast<std::uint16_t>(ranks << row());
  }
  // Ranks that need the same rows of b.
  __device__ std::uint16_t column_ranks() const {
    return static_cast<std::uint16_t>(((1U << Tile::down) - 1) << (column() * Tile::down));
  }
};

// Number of the cluster that this block belongs to.
template <class Tile>
__device__ unsigned team() {
  return blockIdx.x / Tile::cluster;
}
// Number of clusters of the grid.
template <class Tile>
__device__ unsigned teams() {
  return gridDim.x / Tile::cluster;
}

// First row and column of the block's tile.
template <class Tile>
__device__ tile_place origin(const tile_order& order, unsigned tile, cluster_place<Tile> own) {
  const auto place = order.place(tile);
  return {(place.row * Tile::down + own.row()) * Tile::rows,
          (place.column * Tile::across + own.column()) * Tile::columns};
}

// Copies this block's part of rows [row, row + Rows) of an operand, which `Sharers` blocks of the cluster
// need, to all of them.
template <unsigned Rows, unsigned Sharers>
__device__ void copy_share(std::uint32_t target, const CUtensorMap& map, unsigned x, unsigned row,
                           std::uint32_t barrier, unsigned share, std::uint16_t ranks) {
  constexpr unsigned part = Rows / Sharers;
  target += share * part * 128;
  const int column = static_cast<int>(x), first = static_cast<int>(row + share * part);
  if constexpr (Sharers == 1) {
    gpu::ptx::cp_async_bulk_tensor_2d_shared_global(target, &map, column, first, barrier);
  } else {
    gpu::ptx::cp_async_bulk_tensor_2d_shared_global_multicast(target, &map, column, first, barrier, ranks);
  }
}

// The producer: one thread that keeps the ring full.
template <class Tile, class Schedule>
__device__ void produce(const CUtensorMap& a, const CUtensorMap& b, const Schedule& schedule,
                        shared_places<Tile> places, cluster_place<Tile> own) {
  ring_place<Tile> at;
  tile_share share;
  for (unsigned i = 0; schedule.share(team<Tile>(), teams<Tile>(), i, share); ++i) {
    const auto from = origin<Tile>(schedule.order, share.tile, own);
    for (unsigned step = share.first; step < share.end; ++step, at.advance()) {
      wait_for_phase(places.empty(at.stage), at.parity ^ 1U);
      const auto full = places.full(at.stage);
      gpu::ptx::mbarrier_arrive_expect_tx(full, Tile::stage_bytes);
      copy_share<Tile::rows, Tile::across>(places.a(at.stage), a, step * Tile::terms, from.row, full,
                                           own.column(), own.row_ranks());
      copy_share<Tile::columns, Tile::down>(places.b(at.stage), b, step * Tile::terms, from.column, full,
                                            own.row(), own.column_ranks());
    }
  }
}

// Adds the product of one stage's rows to `sums`, asynchronously.
template <class Tile>
__device__ void multiply_stage(std::uint32_t a, std::uint32_t b, int scale_d,
                               float (&sums)[Tile::blocks][Tile::columns / 2]) {
  gpu::ptx::wgmma_fence();
#pragma unroll
  for (unsigned step = 0; step < Tile::row_bytes / 32; ++step) {
#pragma unroll
    for (unsigned block = 0; block < Tile::blocks; ++block) {
      const auto first = gpu::wgmma_descriptor_128b_rows(a + 64 * block * Tile::row_bytes + 32 * step);
      const auto second = gpu::wgmma_descriptor_128b_rows(b + 32 * step);
      const int scale = step > 0 ? 1 : scale_d;
      if constexpr (Tile::operand::bytes == 2) {
        gpu::ptx::wgmma_f32_bf16(sums[block], first, second, scale);
      } else {
        gpu::ptx::wgmma_f32_e4m3(sums[block], first, second, scale);
      }
    }
  }
  gpu::ptx::wgmma_commit_group();
}

// Tells every block that copies into this stage of ours that this warpgroup has read it.
template <class Tile>
__device__ void release_stage(shared_places<Tile> places, cluster_place<Tile> own, unsigned stage) {
  const unsigned thread = threadIdx.x % 128;
  if constexpr (Tile::cluster == 1) {
    if (thread == 0) gpu::ptx::mbarrier_arrive(places.empty(stage));
  } else {
    const unsigned copiers = own.row_ranks() | own.column_ranks();
    if (thread < Tile::cluster && (copiers >> thread & 1U) != 0)
      gpu::ptx::mbarrier_arrive_shared_cluster(gpu::ptx::mapa_shared_cluster(places.empty(stage), thread));
  }
}

// The turns of consumers that take tiles one after another, by named barriers (barrier 0 is the block's). One
// waits until the one before has begun all products of its tile: only then has every phase ended that
// comes before its own, of which a barrier tells the parity alone.
template <class Tile>
struct consumer_turns {
  static constexpr unsigned threads = 2 * 128;  // the one that waits and the one that hands over
  unsigned consumer;
  // Waits for this consumer's turn at the block's `nth` tile.
  __device__ void wait(unsigned nth) const {
    if (Tile::in_turns && nth > 0) gpu::ptx::bar_sync(1 + consumer, threads);
  }
  // Gives the turn to the next consumer, where there is a tile for it.
  __device__ void hand_over(bool more) const {
    if (Tile::in_turns && more) gpu::ptx::bar_arrive(1 + (consumer + 1) % Tile::consumers, threads);
  }
};

// Makes the sums of the next `steps` stages, one at least; calls `begun` when all products have begun.
template <class Tile, class Begun>
__device__ void sum_steps(unsigned steps, shared_places<Tile> places, cluster_place<Tile> own,
                          ring_place<Tile>& ring, unsigned consumer,
                          float (&sums)[Tile::blocks][Tile::columns / 2], Begun begun) {
  const unsigned rows_at = Tile::in_turns ? 0 : consumer * Tile::blocks * 64 * Tile::row_bytes;
  wait_for_phase(places.full(ring.stage), ring.parity);
  multiply_stage<Tile>(places.a(ring.stage) + rows_at, places.b(ring.stage), 0, sums);
  unsigned before = ring.stage;
  ring.advance();
#pragma unroll 1
  for (unsigned step = 1; step < steps; ++step) {
    wait_for_phase(places.full(ring.stage), ring.parity);
    multiply_stage<Tile>(places.a(ring.stage) + rows_at, places.b(ring.stage), 1, sums);
    gpu::ptx::wgmma_wait_group<1>();
    release_stage<Tile>(places, own, before);
    before = ring.stage;
    ring.advance();
  }
  begun();
  gpu::ptx::wgmma_wait_group<0>();
  release_stage<Tile>(places, own, before);
}

// Two numbers rounded to bf16, x in the low half.
__device__ inline std::uint32_t bf16_pair(float x, float y) {
  const __nv_bfloat162 pair = __floats2bfloat162_rn(x, y);
  return reinterpret_cast<const std::uint32_t&>(pair);
}

// Stores 16 rows of sums, those of one warp, through boxes in shared memory: lanes write them in the order of
// stmatrix, and one lane begins the copies.
template <class Tile>
__device__ void store_boxes(const CUtensorMap& c, std::uint32_t boxes, tile_place first,
                            const float (&sums)[Tile::columns / 2]) {
  constexpr unsigned parts = Tile::box_columns / 8;  // 16-byte parts of a row of a box
  const unsigned lane = threadIdx.x % 32, row = lane % 16;
#pragma unroll
  for (unsigned begin = 0; begin < Tile::columns / 8; begin += parts * Tile::boxes) {
    if (lane == 0) gpu::ptx::cp_async_bulk_wait_group_read<0>();
    __syncwarp();
#pragma unroll
    for (unsigned i = 0; i < parts * Tile::boxes; i += 2) {
      const unsigned even_box = i / parts, odd_box = (i + 1) / parts;
      const unsigned box = lane < 16 ? even_box : odd_box;
      const unsigned part = lane < 16 ? i % parts : (i + 1) % parts;
      const unsigned inside = Tile::box_columns == 64 ? gpu::swizzled_128b_offset(row, part)
                                                      : row * Tile::box_columns * 2 + part * 16;
      const float* const s = &sums[4 * (begin + i)];
      gpu::ptx::stmatrix_x4(boxes + box * Tile::box_bytes + inside, bf16_pair(s[0], s[1]),
                            bf16_pair(s[2], s[3]), bf16_pair(s[4], s[5]), bf16_pair(s[6], s[7]));
    }
    gpu::ptx::fence_proxy_async_shared_cta();
    __syncwarp();
    if (lane == 0) {
#pragma unroll
      for (unsigned box = 0; box < Tile::boxes; ++box) {
        gpu::ptx::cp_async_bulk_tensor_2d_global_shared(
            &c, static_cast<int>(first.column + begin * 8 + box * Tile::box_columns),
            static_cast<int>(first.row), boxes + box * Tile::box_bytes);
      }
      gpu::ptx::cp_async_bulk_commit_group();
    }
  }
}

// Stores 16 rows of sums, those of one warp, by the threads that hold them, two at a time.
template <class Tile>
__device__ void store_pairs(const stored_matrix& c, tile_place first,
                            const float (&sums)[Tile::columns / 2]) {
  const unsigned lane = threadIdx.x % 32;
#pragma unroll
  for (unsigned half = 0; half < 2; ++half) {
    const std::int64_t row = first.row + lane / 4 + 8 * half;
    if (row >= c.rows) continue;
    __nv_bfloat16* const target = c.data + row * c.pitch;
#pragma unroll
    for (unsigned i = 0; i < Tile::columns / 8; ++i) {
      const std::int64_t column = first.column + 8 * i + lane % 4 * 2;
      const float x = sums[4 * i + 2 * half], y = sums[4 * i + 2 * half + 1];
      if (c.pairs && column + 1 < c.columns) {
        *reinterpret_cast<std::uint32_t*>(target + column) = bf16_pair(x, y);
      } else {
        if (column < c.columns) target[column] = __float2bfloat16_rn(x);
        if (column + 1 < c.columns) target[column + 1] = __float2bfloat16_rn(y);
      }
    }
  }
}

// Leaves a warp's sums of a tile that another block began, and says so.
template <class Tile>
__device__ void leave_partial(const partial_sums& partial, unsigned block, unsigned consumer_warp,
                              const float (&sums)[Tile::blocks][Tile::columns / 2]) {
  constexpr unsigned warps = 4 * Tile::consumers, quads = Tile::columns / 8;
  const unsigned lane = threadIdx.x % 32, slot = block * warps + consumer_warp;
  float4* target = partial.sums + std::size_t{slot} * Tile::blocks * quads * 32 + lane;
#pragma unroll
  for (unsigned b = 0; b < Tile::blocks; ++b)
#pragma unroll
    for (unsigned i = 0; i < quads; ++i, target += 32)
      __stcg(target, make_float4(sums[b][4 * i], sums[b][4 * i + 1], sums[b][4 * i + 2], sums[b][4 * i + 3]));
  __threadfence();
  __syncwarp();
  if (lane == 0) atomicExch(partial.ready + slot, 1U);
}

// Waits for the sums that a warp of `block` left, and adds them.
template <class Tile>
__device__ void add_partial(const partial_sums& partial, unsigned block, unsigned consumer_warp,
                            float (&sums)[Tile::blocks][Tile::columns / 2]) {
  constexpr unsigned warps = 4 * Tile::consumers, quads = Tile::columns / 8;
  const unsigned lane = threadIdx.x % 32, slot = block * warps + consumer_warp;
  if (lane == 0) {
    while (*static_cast<volatile std::uint32_t*>(partial.ready + slot) == 0) {
    }
    partial.ready[slot] = 0;
    __threadfence();
  }
  __syncwarp();
  const float4* source = partial.sums + std::size_t{slot} * Tile::blocks * quads * 32 + lane;
#pragma unroll
  for (unsigned b = 0; b < Tile::blocks; ++b) {
#pragma unroll
    for (unsigned i = 0; i < quads; ++i, source += 32) {
      const float4 more = __ldcg(source);
      sums[b][4 * i] += more.x, sums[b][4 * i + 1] += more.y;
      sums[b][4 * i + 2] += more.z, sums[b][4 * i + 3] += more.w;
    }
  }
}

// Applies the epilogue to a warp's sums, of 16 rows: called with row, column and two sums that are neighbours
// in it. `Inside`: all of them are in the matrix.
template <class Tile, bool Inside, class Epilogue>
__device__ void apply(Epilogue& epilogue, tile_place first, float (&sums)[Tile::columns / 2]) {
  const unsigned lane = threadIdx.x % 32;
#pragma unroll
  for (unsigned i = 0; i < Tile::columns / 8; ++i) {
    const unsigned column = first.column + 8 * i + lane % 4 * 2;
    epilogue.template apply<Inside>(first.row + lane / 4, column, sums[4 * i], sums[4 * i + 1]);
    epilogue.template apply<Inside>(first.row + lane / 4 + 8, column, sums[4 * i + 2], sums[4 * i + 3]);
  }
}

// A consumer: a warpgroup that makes its rows of every tile of the block.
template <class Tile, class Schedule, class Epilogue>
__device__ void consume(const CUtensorMap& c, const stored_matrix& stored, const Schedule& schedule,
                        const partial_sums& partial, Epilogue epilogue, shared_places<Tile> places,
                        cluster_place<Tile> own, unsigned consumer) {
  const unsigned warp = threadIdx.x / 32 % 4, consumer_warp = 4 * consumer + warp;
  static_assert(!(Tile::in_turns && Schedule::splits), "consumers that take turns make whole tiles");
  constexpr unsigned turns = Tile::in_turns ? Tile::consumers : 1;
  ring_place<Tile> at;
  if (Tile::in_turns) at.skip(consumer * schedule.steps);
  tile_share share;
  for (unsigned i = Tile::in_turns ? consumer : 0; schedule.share(team<Tile>(), teams<Tile>(), i, share);
       i += turns) {
    float sums[Tile::blocks][Tile::columns / 2];
    tile_share next;
    const consumer_turns<Tile> turn{consumer};
    turn.wait(i);
    sum_steps<Tile>(share.end - share.first, places, own, at, consumer, sums, [&] {
      turn.hand_over(Tile::in_turns && schedule.share(team<Tile>(), teams<Tile>(), i + 1, next));
    });
    if (Tile::in_turns) at.skip((turns - 1) * schedule.steps);
    if constexpr (Schedule::splits) {
      if (share.first > 0) {
        leave_partial<Tile>(partial, blockIdx.x, consumer_warp, sums);
        continue;
      }
      if (share.end < schedule.steps) {
        const unsigned tile_end = (share.tile + 1) * schedule.steps;
        for (unsigned helper = team<Tile>() + 1; schedule.begin(helper, teams<Tile>()) < tile_end; ++helper) {
          const bool helps =
              schedule.begin(helper + 1, teams<Tile>()) > schedule.begin(helper, teams<Tile>());
          if (helps) add_partial<Tile>(partial, helper * Tile::cluster + own.rank, consumer_warp, sums);
        }
      }
    }
    auto target = origin<Tile>(schedule.order, share.tile, own);
    target.row += (Tile::in_turns ? 0 : consumer * Tile::blocks * 64) + 16 * warp;
#pragma unroll
    for (unsigned block = 0; block < Tile::blocks; ++block) {
      if (epilogue.holds(target.row + 16, target.column + Tile::columns)) {
        apply<Tile, true>(epilogue, target, sums[block]);
      } else {
        apply<Tile, false>(epilogue, target, sums[block]);
      }
      if constexpr (Tile::store == store_by::tensor_map) {
        store_boxes<Tile>(c, places.boxes(consumer_warp), target, sums[block]);
      } else {
        store_pairs<Tile>(stored, target, sums[block]);
      }
      target.row += 64;
    }
  }
  if (Tile::store == store_by::tensor_map && threadIdx.x % 32 == 0) gpu::ptx::cp_async_bulk_wait_group<0>();
  epilogue.finish();
}

// Initializes the barriers of all stages; one thread does.
template <class Tile>
__device__ void initialize_barriers(shared_places<Tile> places) {
  constexpr unsigned copiers = Tile::down + Tile::across - 1;
  for (unsigned stage = 0; stage < Tile::stages; ++stage) {
    gpu::ptx::mbarrier_init(places.full(stage), 1);
    gpu::ptx::mbarrier_init(places.empty(stage), Tile::readers * copiers);
  }
  gpu::ptx::fence_mbarrier_init_release_cluster();
}

// Waits for all threads of the cluster, or of the block where it is alone.
template <class Tile>
__device__ void meet() {
  if constexpr (Tile::cluster == 1) {
    __syncthreads();
  } else {
    gpu::ptx::barrier_cluster_arrive_release();
    gpu::ptx::barrier_cluster_wait_acquire();
  }
}

#endif

// The kernel: the first warpgroup produces, the others consume.
template <class Tile, class Schedule, class Epilogue>
__global__ void __launch_bounds__(Tile::threads, 1)
    product_by_roles([[maybe_unused]] const __grid_constant__ CUtensorMap a,
                     [[maybe_unused]] const __grid_constant__ CUtensorMap b,
                     [[maybe_unused]] const __grid_constant__ CUtensorMap c,
                     [[maybe_unused]] const stored_matrix stored, [[maybe_unused]] const Schedule schedule,
                     [[maybe_unused]] const partial_sums partial, [[maybe_unused]] const Epilogue epilogue) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ std::byte dynamic[];
  const auto places = places_in<Tile>(dynamic);
  const cluster_place<Tile> own{Tile::cluster == 1 ? 0 : gpu::ptx::cluster_ctarank()};
  const unsigned warpgroup = __shfl_sync(~0U, threadIdx.x / 128, 0);
  if (threadIdx.x == 0) initialize_barriers<Tile>(places);
  meet<Tile>();
  if (warpgroup == 0) {
    gpu::ptx::setmaxnreg_dec<Tile::producer_registers>();
    if (threadIdx.x == 0) produce<Tile>(a, b, schedule, places, own);
    __syncwarp();
  } else {
    gpu::ptx::setmaxnreg_inc<Tile::consumer_registers>();
    consume<Tile>(c, stored, schedule, partial, epilogue, places, own, warpgroup - 1);
    __syncwarp();
  }
  if constexpr (Tile::cluster > 1) meet<Tile>();  // no block ends while others copy or arrive here
#endif
}

// Sums are stored as they are.
struct as_summed {
  // Whether all sums above and left of this place are in the matrix.
  __device__ bool holds(unsigned, unsigned) const { return true; }
  // Changes two neighbours in a row.
  template <bool Inside>
  __device__ void apply(unsigned, unsigned, float&, float&) const {}
  // Called by every consumer thread when its sums are stored.
  __device__ void finish() const {}
};

}  // namespace ridge::kernels
