// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <ridge/gpu/ptx/barrier.cuh>
#include <ridge/gpu/ptx/bulk_copy.cuh>
#include <ridge/gpu/ptx/fence.cuh>
#include <ridge/gpu/ptx/mbarrier.cuh>
#include <ridge/gpu/ptx/memory_order.cuh>
#include <ridge/gpu/ptx/shared_address.cuh>

#include "attention.cuh"

// How the blocks of the persistent kernel are organized, and the thread of each that fetches weights.
//
// Blocks hand their results on through words in global memory that are written once a layer. The lowest bit
// of a word is a tag that changes with every layer: whoever waits for a number polls the number itself, so
// that no flag, no fence and no counter is on the way. A word is written again only after every block has
// sent what follows from it, since each stage needs results of all blocks.
namespace ridge::experiments::ch10_megakernel_decode {

inline constexpr unsigned keys_of_split = 128;

inline constexpr unsigned warps = 16, consumers = warps * gpu::warp_lanes;
inline constexpr unsigned block_threads = consumers + gpu::warp_lanes;
static_assert(warps == attention_warps);
// A slot of the ring: four rows of a matrix of `hidden` columns, one of `between`, or 64 keys and values.
inline constexpr unsigned slots = 12, slot_bytes = 16384, half_slot = slot_bytes / 2;
// Copies of a block that are under way at once: enough for the memory's speed. More would not be faster, and
// queues of them would delay what blocks hand on to each other.
inline constexpr unsigned most_under_way = 3;
inline constexpr unsigned row_bytes = hidden * 2, long_row_bytes = between * 2, key_bytes = head_width * 2;
inline constexpr unsigned keys_of_slot = 64;
static_assert(slot_bytes == 4 * row_bytes && slot_bytes == long_row_bytes &&
              half_slot == keys_of_slot * key_bytes);
// Rows whose sums are added up between two barriers, and floats from one row's partial sums to the next.
inline constexpr unsigned batch_rows = 64, pitch = 20;

struct step {
  unsigned layers, context, vocabulary, splits;
  const std::byte *embedding, *norms, *qkv, *projection, *gate_up, *down, *head, *cache;
  float* logits;
  std::uint16_t* appended;
  stage_words* words;
};

struct block_places {
  std::byte ring[slots][slot_bytes];
  warp_sums attention;
  float partial[2][batch_rows * pitch];
  float state[hidden];  // of which this block adds something to its rows
  float squares[2][warps];
  std::uint64_t filled[slots], freed[slots];
};

// What a block takes of each matrix of a layer; pairs of rows are pairs of the rotation, or of gate and up.
__device__ inline share block_share(unsigned rows, bool up) {
  return up ? share_of<true>(rows, blockIdx.x, gridDim.x) : share_of(rows, blockIdx.x, gridDim.x);
}
__device__ inline share pairs_of_token(unsigned layer) { return block_share(token_rows / 2, layer % 2 != 0); }
__device__ inline share rows_of_projection(unsigned layer) { return block_share(hidden, layer % 2 != 0); }
__device__ inline share pairs_of_gate() { return block_share(between, false); }
__device__ inline share rows_of_down(unsigned layer) { return block_share(hidden, layer % 2 == 0); }

// A block's part of the attention: keys of one head; `last` takes the newest token too.
struct attention_part {
  unsigned head, split;
  share keys;
  bool some, last;
  __device__ explicit attention_part(const step& s)
      : head(blockIdx.x / s.splits),
        split(blockIdx.x % s.splits),
        keys(share_of(s.context, split, s.splits)),
        some(head < kv_heads),
        last(split == s.splits - 1) {}
};

#if __CUDA_ARCH__ >= 900

struct ring_position {
  unsigned slot = 0, parity = 0;
  __device__ void advance() {
    if (++slot == slots) slot = 0, parity ^= 1U;
  }
};

// Fills the ring with what this block will read, in that order, as far ahead as there are slots: weights and
// the cache depend on nothing that the step computes.
class producer {
 public:
  __device__ producer(block_places& shared, const step& s)
      : shared_(shared), step_(s), policy_(gpu::ptx::createpolicy_evict_first()) {}

  __device__ void run() {
    const attention_part part(step_);
    for (unsigned layer = 0; layer < step_.layers; ++layer) {
      const std::size_t n = layer;
      const share token = pairs_of_token(layer);
      rows(step_.qkv + n * token_rows * row_bytes, {2 * token.begin, 2 * token.count}, row_bytes);
      if (part.some) {
        const std::size_t head_bytes = std::size_t{step_.context} * key_bytes;
        const auto* const keys = step_.cache + (2 * n * kv_heads + part.head) * head_bytes;
        pairs(keys, keys + kv_heads * head_bytes, part.keys, key_bytes);
      }
      rows(step_.projection + n * hidden * row_bytes, rows_of_projection(layer), row_bytes);
      const auto* const gate = step_.gate_up + 2 * n * between * row_bytes;
      pairs(gate, gate + std::size_t{between} * row_bytes, pairs_of_gate(), row_bytes);
      rows(step_.down + n * hidden * long_row_bytes, rows_of_down(layer), long_row_bytes);
    }
    rows(step_.head, share_of(step_.vocabulary, blockIdx.x, gridDim.x), row_bytes);
  }

 private:
  __device__ void fill(const std::byte* first, const std::byte* second, unsigned bytes) {
    namespace ptx = gpu::ptx;
    const auto slot = ptx::shared_address(shared_.ring[next_.slot]);
    const auto filled = ptx::shared_address(&shared_.filled[next_.slot]);
    if (under_way_ == most_under_way) {
      ptx::mbarrier_wait_parity(ptx::shared_address(&shared_.filled[oldest_.slot]), oldest_.parity);
      oldest_.advance();
    } else {
      ++under_way_;
    }
    // The first round finds all slots free.
    ptx::mbarrier_wait_parity(ptx::shared_address(&shared_.freed[next_.slot]), next_.parity ^ 1U);
    ptx::mbarrier_arrive_expect_tx(filled, second != nullptr ? 2 * bytes : bytes);
    copy(slot, first, bytes, filled);
    if (second != nullptr) copy(slot + half_slot, second, bytes, filled);
    next_.advance();
  }
  __device__ void copy(std::uint32_t target, const std::byte* source, unsigned bytes, std::uint32_t filled) {
    gpu::ptx::cp_async_bulk_shared_global(target, source, bytes, filled, policy_);
  }
  __device__ void rows(const std::byte* matrix, share s, unsigned bytes_of_row) {
    const unsigned most = slot_bytes / bytes_of_row;
    for (unsigned done = 0; done < s.count; done += most)
      fill(matrix + std::size_t{s.begin + done} * bytes_of_row, nullptr,
           min(most, s.count - done) * bytes_of_row);
  }
  // Rows of two matrices, half a slot of each.
  __device__ void pairs(const std::byte* a, const std::byte* b, share s, unsigned bytes_of_row) {
    const unsigned most = half_slot / bytes_of_row;
    for (unsigned done = 0; done < s.count; done += most) {
      const std::size_t offset = std::size_t{s.begin + done} * bytes_of_row;
      fill(a + offset, b + offset, min(most, s.count - done) * bytes_of_row);
    }
  }

  block_places& shared_;
  const step& step_;
  std::uint64_t policy_;
  ring_position next_{}, oldest_{};
  unsigned under_way_ = 0;
};

// Numbers that are handed on: `Count` times four neighbours, `apart` words from one four to the next.
template <unsigned Count>
__device__ void await(const std::uint32_t* words, unsigned apart, unsigned tag, float4 (&numbers)[Count]) {
  uint4 w[Count];
  unsigned missing;
  do {
    missing = 0;
#pragma unroll
    for (unsigned i = 0; i < Count; ++i) {
      w[i] = gpu::ptx::ld_relaxed_gpu_v4_b32(words + i * apart);
      missing |= (w[i].x ^ tag) | (w[i].y ^ tag) | (w[i].z ^ tag) | (w[i].w ^ tag);
    }
  } while ((missing & 1U) != 0);
  const auto number = [](std::uint32_t word) { return __uint_as_float(word & ~1U); };
#pragma unroll
  for (unsigned i = 0; i < Count; ++i)
    numbers[i] = {number(w[i].x), number(w[i].y), number(w[i].z), number(w[i].w)};
}

__device__ inline void hand_on(std::uint32_t* word, float number, unsigned tag) {
  gpu::ptx::st_relaxed_gpu_b32(word, (__float_as_uint(number) & ~1U) | tag);
}

#endif

}  // namespace ridge::experiments::ch10_megakernel_decode
