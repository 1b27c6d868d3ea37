// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>

#include <cuda.h>

#include <ridge/gpu/ptx/barrier.cuh>
#include <ridge/gpu/ptx/bulk_copy.cuh>
#include <ridge/gpu/ptx/fence.cuh>
#include <ridge/gpu/ptx/matrix.cuh>
#include <ridge/gpu/ptx/mbarrier.cuh>
#include <ridge/gpu/ptx/setmaxnreg.cuh>
#include <ridge/gpu/ptx/shared_address.cuh>
#include <ridge/gpu/ptx/wgmma.cuh>
#include <ridge/gpu/wgmma_descriptor.hpp>
#include <ridge/kernels/online_softmax.cuh>

// o = softmax(q kᵀ / sqrt(width)) v by warpgroups with roles (sm_90a): one thread copies tiles of queries and
// blocks of keys and values by tensor maps; each other warpgroup makes 64 rows of o, whose scores never leave
// registers. After FlashAttention-3 (Shah et al. 2024) and, for how seldom sums are scaled, FlashAttention-4.
namespace ridge::kernels {

// How a warpgroup goes over blocks of keys.
enum class attention_order {
  in_turn,    // scores, softmax, sums; other warpgroups multiply during its softmax
  overlapped  // the next block's scores are made during a softmax, and two warpgroups take turns to multiply
};

// A block's tile: `Consumers` times 64 queries, and blocks of `Keys` keys, of heads that are `Width` wide.
// The ring holds `Stages` blocks of keys and of values, and `QueryStages` tiles of queries.
template <unsigned Width, unsigned Consumers, unsigned Keys, bool Causal, attention_order Order,
          unsigned QueryStages = 2, unsigned Stages = 2>
struct attention_tile {
  static constexpr unsigned width = Width, consumers = Consumers, keys = Keys, rows = 64 * Consumers;
  static constexpr unsigned query_stages = QueryStages, stages = Stages;
  static constexpr bool causal = Causal;
  static constexpr attention_order order = Order;

  static constexpr unsigned threads = 128 * (Consumers + 1);
  static constexpr unsigned row_bytes = 128, boxes = Width / 64;  // boxes of 64 columns side by side
  static constexpr unsigned box_bytes = 64 * row_bytes;           // of 64 queries
  static constexpr unsigned group_bytes = boxes * box_bytes, query_bytes = Consumers * group_bytes;
  static constexpr unsigned key_box_bytes = Keys * row_bytes, block_bytes = boxes * key_box_bytes;
  static constexpr unsigned keys_at = QueryStages * query_bytes, values_at = keys_at + Stages * block_bytes;
  static constexpr unsigned barriers_at = values_at + Stages * block_bytes;
  static constexpr unsigned barriers = 4 * Stages + 2 * QueryStages * Consumers;
  static constexpr unsigned alignment = 1024;  // a pattern of the swizzle is 8 rows
  static constexpr unsigned shared_bytes = barriers_at + 8 * barriers + alignment;

  static constexpr int producer_registers = Consumers == 3 ? 32 : 24;
  static constexpr int consumer_registers = Consumers == 3 ? 160 : 240;
  static_assert(Width % 64 == 0 && Keys % 16 == 0 && shared_bytes <= 232448);
  static_assert(Order == attention_order::in_turn || Consumers == 2, "two warpgroups take turns");
};

// Boxes of 64 rows of q and o and of Tile::keys rows of k and v, 64 columns each.
struct attention_maps {
  CUtensorMap q, k, v, o;
};

struct attention_size {
  int tokens = 0, heads = 0, group = 0;  // `group` heads share their keys and values
  int query_tiles = 0;                   // of a head
  float scale = 0;                       // of scores, times log2(e)
};

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

// Number of a use of a ring of `Stages`: where it is, and the parity of its phase.
template <unsigned Stages>
struct ring_use {
  unsigned number = 0;
  // The stage that the use is of.
  __device__ unsigned stage() const { return number % Stages; }
  // Of the phase that this use completes.
  __device__ unsigned parity() const { return number / Stages & 1U; }
};

// A tile of queries of one head.
struct query_tile {
  int first_row = 0, head = 0;
};

// The tiles of a block, longest first: blocks take them in turn, forwards and backwards, which gives every
// block nearly the same sum. All heads' tiles of one length follow one another, so that heads that share keys
// run at the same time.
template <class Tile>
class tile_walk {
 public:
  // References `size`.
  __device__ explicit tile_walk(const attention_size& size) : size_(size) {}
  // Sets `tile` to the block's next tile; false after the last.
  __device__ bool next(query_tile& tile) {
    const int blocks = static_cast<int>(gridDim.x), block = static_cast<int>(blockIdx.x);
    const int number = round_ * blocks + (round_ % 2 == 0 ? block : blocks - 1 - block);
    ++round_;
    if (number >= size_.query_tiles * size_.heads) return false;
    const int place = number / size_.heads;
    tile = {(Tile::causal ? size_.query_tiles - 1 - place : place) * static_cast<int>(Tile::rows),
            number % size_.heads};
    return true;
  }
  // Blocks of keys that the tile's queries see.
  [[nodiscard]] __device__ int key_blocks(const query_tile& tile) const {
    const int seen =
        Tile::causal ? min(tile.first_row + static_cast<int>(Tile::rows), size_.tokens) : size_.tokens;
    return (seen + static_cast<int>(Tile::keys) - 1) / static_cast<int>(Tile::keys);
  }

 private:
  const attention_size& size_;
  int round_ = 0;
};

// Places in the block's shared memory. A stage's `full` barrier completes when its bytes have arrived,
// `empty` when all that read it have done so.
template <class Tile>
struct attention_places {
  std::uint32_t base;
  // Where a consumer's 64 queries lie, box after box.
  __device__ std::uint32_t queries(unsigned stage, unsigned consumer) const {
    return base + stage * Tile::query_bytes + consumer * Tile::group_bytes;
  }
  // A block of keys, box after box.
  __device__ std::uint32_t keys(unsigned stage) const {
    return base + Tile::keys_at + stage * Tile::block_bytes;
  }
  // A block of values, likewise.
  __device__ std::uint32_t values(unsigned stage) const {
    return base + Tile::values_at + stage * Tile::block_bytes;
  }
  // Completes when a stage of keys has arrived.
  __device__ std::uint32_t keys_full(unsigned stage) const { return barrier(stage); }
  // Completes when every consumer warp has read the keys.
  __device__ std::uint32_t keys_empty(unsigned stage) const { return barrier(Tile::stages + stage); }
  // Completes when a stage of values has arrived.
  __device__ std::uint32_t values_full(unsigned stage) const { return barrier(2 * Tile::stages + stage); }
  // Completes when every consumer warp has read the values.
  __device__ std::uint32_t values_empty(unsigned stage) const { return barrier(3 * Tile::stages + stage); }
  // Completes when a consumer's queries have arrived.
  __device__ std::uint32_t queries_full(unsigned stage, unsigned consumer) const {
    return barrier(4 * Tile::stages + consumer * Tile::query_stages + stage);
  }
  // Completes when its result, which takes their place, has left.
  __device__ std::uint32_t queries_empty(unsigned stage, unsigned consumer) const {
    return queries_full(stage, Tile::consumers + consumer);
  }

  // Initializes all barriers; by one thread, before any other uses them.
  __device__ void initialize() const {
    for (unsigned stage = 0; stage < Tile::stages; ++stage) {
      gpu::ptx::mbarrier_init(keys_full(stage), 1), gpu::ptx::mbarrier_init(values_full(stage), 1);
      gpu::ptx::mbarrier_init(keys_empty(stage), 4 * Tile::consumers);  // one arrival a warp
      gpu::ptx::mbarrier_init(values_empty(stage), 4 * Tile::consumers);
    }
    for (unsigned i = 0; i < 2 * Tile::query_stages * Tile::consumers; ++i)
      gpu::ptx::mbarrier_init(barrier(4 * Tile::stages + i), 1);
    gpu::ptx::fence_mbarrier_init_release_cluster();
  }

 private:
  __device__ std::uint32_t barrier(unsigned number) const { return base + Tile::barriers_at + 8 * number; }
};

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

// scores = q kᵀ of 64 queries and Keys keys in shared memory, asynchronously.
template <unsigned Width, unsigned Keys>
__device__ void multiply_keys(float (&scores)[Keys / 2], std::uint32_t queries, std::uint32_t keys) {
  const auto q = gpu::wgmma_descriptor_128b_rows(queries), k = gpu::wgmma_descriptor_128b_rows(keys);
  gpu::ptx::wgmma_fence();
#pragma unroll
  for (unsigned step = 0; step < Width / 16; ++step) {
    const unsigned box = step / 4, part = step % 4 * 2;  // descriptors count 16 bytes
    gpu::ptx::wgmma_f32_bf16(scores, q + box * (64 * 128 / 16) + part, k + box * (Keys * 128 / 16) + part,
                             step != 0);
  }
  gpu::ptx::wgmma_commit_group();
}

// sums += weights v of Keys values in shared memory, asynchronously.
template <unsigned Keys, unsigned Width>
__device__ void multiply_values(float (&sums)[Width], const std::uint32_t (&weights)[Keys / 16][4],
                                std::uint32_t values) {
  const auto v = gpu::wgmma_descriptor(values, Keys * 128, 1024, gpu::wgmma_swizzle::bytes_128);
  gpu::ptx::wgmma_fence();
#pragma unroll
  for (unsigned step = 0; step < Keys / 16; ++step)
    gpu::ptx::wgmma_f32_bf16_columns(sums, weights[step], v + step * (16 * 128 / 16), 1);
  gpu::ptx::wgmma_commit_group();
}

// Writes a warpgroup's sums, each row times its factor, as bf16 to boxes of 64 rows in shared memory.
template <unsigned Count>
__device__ void store_rows(const float (&sums)[Count], const float (&factors)[2], std::uint32_t boxes) {
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32 % 4;
  const unsigned row = 16 * warp + lane % 16, part = lane / 16;
#pragma unroll
  for (unsigned k = 0; k < Count / 8; ++k) {
    std::uint32_t words[4];
#pragma unroll
    for (unsigned pair = 0; pair < 4; ++pair) {
      const unsigned i = 8 * k + 2 * pair;
      words[pair] = bf16_pair(sums[i] * factors[pair % 2], sums[i + 1] * factors[pair % 2]);
    }
    gpu::ptx::stmatrix_x4(boxes + k / 4 * (64 * 128) + gpu::swizzled_128b_offset(row, k % 4 * 2 + part),
                          words[0], words[1], words[2], words[3]);
  }
}

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
