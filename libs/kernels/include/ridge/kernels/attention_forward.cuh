// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>

#include <cuda.h>

#include <ridge/gpu/ptx/barrier.cuh>
#include <ridge/gpu/ptx/bulk_copy.cuh>
#include <ridge/gpu/ptx/fence.cuh>
#include <ridge/gpu/ptx/mbarrier.cuh>
#include <ridge/gpu/ptx/setmaxnreg.cuh>
#include <ridge/gpu/ptx/shared_address.cuh>
#include <ridge/gpu/ptx/wgmma.cuh>
#include <ridge/kernels/attention_products.cuh>
#include <ridge/kernels/attention_tile.cuh>
#include <ridge/kernels/online_softmax.cuh>

// o = softmax(q kᵀ / sqrt(width)) v by warpgroups with roles (sm_90a): one thread copies tiles of queries and
// blocks of keys and values by tensor maps; each other warpgroup makes 64 rows of o, whose scores never leave
// registers. After FlashAttention-3 (Shah et al. 2024) and, for how seldom sums are scaled, FlashAttention-4.
namespace ridge::kernels {

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

// The producer: one thread that keeps the rings full.
template <class Tile>
class attention_producer {
 public:
  // References `maps`.
  __device__ attention_producer(const attention_maps& maps, attention_places<Tile> places)
      : maps_(maps), places_(places) {}

  // Copies everything that the block's tiles need. Queries come after the first keys: their stage becomes
  // free later.
  __device__ void produce(const attention_size& size) {
    tile_walk<Tile> walk(size);
    for (query_tile tile; walk.next(tile); ++queries_.number) {
      const int column = tile.head / size.group * static_cast<int>(Tile::width),
                blocks = walk.key_blocks(tile);
      copy_keys(column, blocks - 1);
      copy_queries(tile);
      for (int block = blocks - 1; block > 0; --block)
        copy_keys(column, block - 1), copy_values(column, block);
      copy_values(column, 0);
    }
  }

 private:
  __device__ void copy_keys(int column, int block) {
    const unsigned stage = keys_.stage();
    gpu::ptx::mbarrier_wait_parity(places_.keys_empty(stage), keys_.parity() ^ 1U);
    copy_block(maps_.k, places_.keys(stage), places_.keys_full(stage), column, block);
    ++keys_.number;
  }
  __device__ void copy_values(int column, int block) {
    const unsigned stage = values_.stage();
    gpu::ptx::mbarrier_wait_parity(places_.values_empty(stage), values_.parity() ^ 1U);
    copy_block(maps_.v, places_.values(stage), places_.values_full(stage), column, block);
    ++values_.number;
  }
  __device__ static void copy_block(const CUtensorMap& map, std::uint32_t target, std::uint32_t full,
                                    int column, int block) {
    gpu::ptx::mbarrier_arrive_expect_tx(full, Tile::block_bytes);
    for (unsigned box = 0; box < Tile::boxes; ++box)
      gpu::ptx::cp_async_bulk_tensor_2d_shared_global(target + box * Tile::key_box_bytes, &map,
                                                      column + static_cast<int>(64 * box),
                                                      block * static_cast<int>(Tile::keys), full);
  }
  __device__ void copy_queries(const query_tile& tile) {
    const unsigned stage = queries_.stage();
    for (unsigned consumer = 0; consumer < Tile::consumers; ++consumer) {
      gpu::ptx::mbarrier_wait_parity(places_.queries_empty(stage, consumer), queries_.parity() ^ 1U);
      const auto full = places_.queries_full(stage, consumer);
      gpu::ptx::mbarrier_arrive_expect_tx(full, Tile::group_bytes);
      for (unsigned box = 0; box < Tile::boxes; ++box)
        gpu::ptx::cp_async_bulk_tensor_2d_shared_global(
            places_.queries(stage, consumer) + box * Tile::box_bytes, &maps_.q,
            tile.head * static_cast<int>(Tile::width) + static_cast<int>(64 * box),
            tile.first_row + static_cast<int>(64 * consumer), full);
    }
  }

  const attention_maps& maps_;
  attention_places<Tile> places_;
  ring_use<Tile::stages> keys_{}, values_{};
  ring_use<Tile::query_stages> queries_{};
};

// A consumer: one warpgroup.
template <class Tile>
class attention_consumer {
 public:
  // The consumer of that number; references `maps`.
  __device__ attention_consumer(const attention_maps& maps, attention_places<Tile> places, unsigned consumer)
      : maps_(maps), places_(places), consumer_(consumer) {}

  // Makes the warpgroup's rows of all the block's tiles.
  __device__ void consume(const attention_size& size) {
    tile_walk<Tile> walk(size);
    if (takes_turns && consumer_ == 1) gpu::ptx::bar_arrive(turn(0), 256);
    for (query_tile tile; walk.next(tile); ++use_.number) attend(tile, walk.key_blocks(tile), size);
    if (leads()) gpu::ptx::cp_async_bulk_wait_group_read<0>();  // shared memory is read until then
  }

 private:
  static constexpr bool takes_turns = Tile::order == attention_order::overlapped;
  static constexpr int keys = Tile::keys;
  // Named barriers: 0 is __syncthreads.
  __device__ static unsigned turn(unsigned consumer) { return 1 + consumer; }
  __device__ unsigned own_barrier() const { return 3 + consumer_; }
  __device__ bool leads() const { return threadIdx.x % 128 == 0; }

  // Blocks from the last to the first: those that hide some of their scores come first.
  __device__ void attend(const query_tile& tile, int blocks, const attention_size& size) {
    const int row = tile.first_row + static_cast<int>(64 * consumer_);  // the warpgroup's first
    const int whole = Tile::causal ? (row + 1) / keys : size.tokens / keys;
    online_softmax softmax(size.scale);
    float sums[Tile::width / 2];
#pragma unroll
    for (float& sum : sums) sum = 0;
    gpu::ptx::mbarrier_wait_parity(places_.queries_full(use_.stage(), consumer_), use_.parity());
    if constexpr (Tile::order == attention_order::overlapped) {
      overlap(blocks, whole, row, size.tokens, softmax, sums);
    } else {
      take_in_turn(blocks, whole, row, size.tokens, softmax, sums);
    }
    store(tile, softmax, sums);
  }

  __device__ void take_in_turn(int blocks, int whole, int row, int tokens, online_softmax& softmax,
                               float (&sums)[Tile::width / 2]) {
    float scores[Tile::keys / 2];
    std::uint32_t weights[Tile::keys / 16][4];
    const auto step = [&](auto masked, int block) {
      begin_scores(scores);
      gpu::ptx::wgmma_wait_group<0>();
      end_scores(scores);
      if constexpr (decltype(masked)::value) hide(scores, block, row, tokens);
      softmax.take(scores);
      softmax.rescale(sums);
      to_operand(scores, weights);
      begin_sums(sums, weights);
      gpu::ptx::wgmma_wait_group<0>();
      end_sums(sums);
    };
    reclaim_queries();
    int block = blocks - 1;
    if constexpr (Tile::causal) {
      for (; block * keys > row + 63; --block) pass_block();
    }
    for (; block >= whole; --block) step(std::true_type{}, block);
    for (; block >= 0; --block) step(std::false_type{}, block);
  }

  __device__ void overlap(int blocks, int whole, int row, int tokens, online_softmax& softmax,
                          float (&sums)[Tile::width / 2]) {
    float scores[Tile::keys / 2];
    std::uint32_t weights[Tile::keys / 16][4];
    begin_scores(scores);
    reclaim_queries();
    gpu::ptx::wgmma_wait_group<0>();
    end_scores(scores);
    int block = blocks - 1;
    hide(scores, block, row, tokens);
    softmax.take(scores);
    to_operand(scores, weights);
    const auto step = [&](auto masked, int next) {
      gpu::ptx::mbarrier_wait_parity(places_.keys_full(keys_.stage()), keys_.parity());
      gpu::ptx::bar_sync(turn(consumer_), 256);
      begin_scores(scores);
      begin_sums(sums, weights);
      gpu::ptx::bar_arrive(turn(1 - consumer_), 256);
      gpu::ptx::wgmma_wait_group<1>();
      end_scores(scores);
      if constexpr (decltype(masked)::value) hide(scores, next, row, tokens);
      softmax.take(scores);
      gpu::ptx::wgmma_wait_group<0>();
      end_sums(sums);
      softmax.rescale(sums);
      to_operand(scores, weights);
    };
    for (--block; block >= whole; --block) step(std::true_type{}, block);
    for (; block >= 0; --block) step(std::false_type{}, block);
    begin_sums(sums, weights);
    gpu::ptx::wgmma_wait_group<0>();
    end_sums(sums);
  }

  // Begins the product of the queries and the next block of keys.
  __device__ void begin_scores(float (&scores)[Tile::keys / 2]) {
    gpu::ptx::mbarrier_wait_parity(places_.keys_full(keys_.stage()), keys_.parity());
    gpu::ptx::wgmma_keep_order(scores);
    multiply_keys<Tile::width, Tile::keys>(scores, places_.queries(use_.stage(), consumer_),
                                           places_.keys(keys_.stage()));
  }
  // The product is complete: gives the keys back.
  __device__ void end_scores(float (&scores)[Tile::keys / 2]) {
    gpu::ptx::wgmma_keep_order(scores);
    release(places_.keys_empty(keys_.stage()));
    ++keys_.number;
  }
  // Begins the product of the weights and the next block of values.
  __device__ void begin_sums(float (&sums)[Tile::width / 2],
                             const std::uint32_t (&weights)[Tile::keys / 16][4]) {
    gpu::ptx::mbarrier_wait_parity(places_.values_full(values_.stage()), values_.parity());
    gpu::ptx::wgmma_keep_order(sums);
    multiply_values<Tile::keys>(sums, weights, places_.values(values_.stage()));
  }
  __device__ void end_sums(float (&sums)[Tile::width / 2]) {
    gpu::ptx::wgmma_keep_order(sums);
    release(places_.values_empty(values_.stage()));
    ++values_.number;
  }
  // Gives a block back that none of these queries sees.
  __device__ void pass_block() {
    gpu::ptx::mbarrier_wait_parity(places_.keys_full(keys_.stage()), keys_.parity());
    release(places_.keys_empty(keys_.stage()));
    ++keys_.number;
    gpu::ptx::mbarrier_wait_parity(places_.values_full(values_.stage()), values_.parity());
    release(places_.values_empty(values_.stage()));
    ++values_.number;
  }
  __device__ void release(std::uint32_t empty) const {
    if (threadIdx.x % 32 == 0) gpu::ptx::mbarrier_arrive(empty);
  }
  __device__ void hide(float (&scores)[Tile::keys / 2], int block, int row, int tokens) const {
    hide_unseen<Tile::causal>(scores, block * keys, row + static_cast<int>(threadIdx.x / 32 % 4 * 16),
                              tokens);
  }

  // The result takes the place of the queries and leaves by tensor map.
  __device__ void store(const query_tile& tile, const online_softmax& softmax,
                        const float (&sums)[Tile::width / 2]) {
    const float factors[2] = {softmax.reciprocal(0), softmax.reciprocal(1)};
    const auto boxes = places_.queries(use_.stage(), consumer_);
    gpu::ptx::bar_sync(own_barrier(), 128);  // every warp has read its queries
    store_rows(sums, factors, boxes);
    gpu::ptx::fence_proxy_async_shared_cta();
    gpu::ptx::bar_sync(own_barrier(), 128);
    if (!leads()) return;
    for (unsigned box = 0; box < Tile::boxes; ++box)
      gpu::ptx::cp_async_bulk_tensor_2d_global_shared(
          &maps_.o, tile.head * static_cast<int>(Tile::width) + static_cast<int>(64 * box),
          tile.first_row + static_cast<int>(64 * consumer_), boxes + box * Tile::box_bytes);
    gpu::ptx::cp_async_bulk_commit_group();
    if constexpr (Tile::query_stages == 1) give_back(0);
  }
  // With two stages the place is given back during the next tile, when the copy has long been made.
  __device__ void reclaim_queries() const {
    if (Tile::query_stages > 1 && leads() && use_.number > 0)
      give_back((use_.number - 1) % Tile::query_stages);
  }
  __device__ void give_back(unsigned stage) const {
    gpu::ptx::cp_async_bulk_wait_group_read<0>();
    gpu::ptx::mbarrier_arrive(places_.queries_empty(stage, consumer_));
  }

  const attention_maps& maps_;
  attention_places<Tile> places_;
  unsigned consumer_;
  ring_use<Tile::stages> keys_{}, values_{};
  ring_use<Tile::query_stages> use_{};
};

#endif

// The kernel: as many blocks as multiprocessors, Tile::threads threads, Tile::shared_bytes of shared memory.
template <class Tile>
__global__ void __launch_bounds__(Tile::threads, 1)
    attention_by_roles([[maybe_unused]] const __grid_constant__ attention_maps maps,
                       [[maybe_unused]] const __grid_constant__ attention_size size) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ unsigned char shared[];
  const attention_places<Tile> places{(gpu::ptx::shared_address(shared) + Tile::alignment - 1) &
                                      ~(Tile::alignment - 1)};
  if (threadIdx.x == 0) places.initialize();
  __syncthreads();
  const unsigned role = threadIdx.x / 128;
  if (role == 0) {
    gpu::ptx::setmaxnreg_dec<Tile::producer_registers>();
    if (threadIdx.x == 0) attention_producer<Tile>(maps, places).produce(size);
  } else {
    gpu::ptx::setmaxnreg_inc<Tile::consumer_registers>();
    attention_consumer<Tile>(maps, places, role - 1).consume(size);
  }
#endif
}

}  // namespace ridge::kernels
