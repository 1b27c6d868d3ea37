// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <cuda_runtime_api.h>

// Kernels that go over an array in the L2 again and again.
namespace ridge::backends::probe_cuda {

// The order of a block's pieces. together: block b takes b, b + blocks, ... around the array, so that at any
// moment the blocks are at pieces side by side, each at another, and a piece goes to another multiprocessor
// every time. own: a part of the array of its own, again and again. running: all, one after the other, from
// another one on than the other blocks.
enum class cache_walk : std::uint8_t { together, own, running };

struct cache_variant {
  std::string_view name{};
  unsigned threads = 0, vectors = 0;  // of 16 bytes that a thread loads at once
  unsigned parts = 1;                 // pieces that these are of
  unsigned blocks_a_processor = 0;
  cache_walk how{};
  // Each block touches pieces_a_block pieces, a multiple of `parts`, some more than once.
  void (*launch)(const cache_variant&, uint4* array, unsigned array_pieces, unsigned pieces_a_block,
                 std::uint32_t* sums, int processors, cudaStream_t) = nullptr;
  [[nodiscard]] std::size_t piece_bytes() const {
    return std::size_t{threads} * (vectors / parts) * sizeof(uint4);
  }
};

[[nodiscard]] unsigned blocks_of(const cache_variant& variant, int processors);

// The pieces of an array of so many bytes, a few less where that makes the walk even: with those, blocks that
// read pieces_in pieces each read every piece equally often. own: at least one for each block.
[[nodiscard]] unsigned pieces_in(const cache_variant& variant, std::size_t bytes, int processors);

// Best expected first. Reads: each block adds the sum of the words that it read, modulo 2^32, to one of
// `sums`, of which there are sums_words. Writes: block b writes pieces b, b + blocks, ...; word w of the
// array becomes written_word(w).
[[nodiscard]] std::span<const cache_variant> cache_reads();
[[nodiscard]] std::span<const cache_variant> cache_writes();

}  // namespace ridge::backends::probe_cuda
