// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <cuda.h>

#include <ridge/gpu/ptx/fence.cuh>
#include <ridge/gpu/ptx/mbarrier.cuh>

// What the roles of attention_forward.cuh share: the tile, the order of tiles, and places in shared memory.
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

#if __CUDA_ARCH__ >= 900

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

#endif

}  // namespace ridge::kernels
