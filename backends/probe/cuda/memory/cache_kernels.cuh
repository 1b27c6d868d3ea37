// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <cuda_runtime_api.h>

// Kernels that read or write an array in the L2 repeatedly.
namespace ridge::backends::probe_cuda {

// The order of a block's pieces. together: block b takes pieces b, b + blocks, ... around the array, so that
// the blocks work on neighbouring pieces at any moment and a piece goes to a different multiprocessor each
// time. own: every block repeats its own part of the array. running: every block takes all pieces one after
// the other, starting at a different one.
enum class cache_walk : std::uint8_t { together, own, running };

// One kernel and its launch.
struct cache_variant {
  std::string_view name{};
  unsigned threads = 0, vectors = 0;  // vectors of 16 bytes that a thread loads at once
  unsigned parts = 1;                 // number of pieces that the vectors belong to
  unsigned blocks_per_processor = 0;
  cache_walk order{};
  // Enqueues the kernel. Each block accesses pieces_per_block pieces, a multiple of `parts`, some more than
  // once.
  void (*launch)(const cache_variant&, uint4* array, unsigned array_pieces, unsigned pieces_per_block,
                 std::uint32_t* sums, int processors, cudaStream_t) = nullptr;
  [[nodiscard]] std::size_t piece_bytes() const {
    return std::size_t{threads} * (vectors / parts) * sizeof(uint4);
  }
};

// Number of blocks of a launch.
[[nodiscard]] unsigned blocks_of(const cache_variant& variant, int processors);

// Number of pieces of an array of `bytes`, reduced where necessary so that blocks that read so many pieces
// each read every piece equally often. With the order `own` it is at least one per block.
[[nodiscard]] unsigned pieces_in(const cache_variant& variant, std::size_t bytes, int processors);

// The variants, the one that is expected to be best first. Reads: each block adds the sum modulo 2^32 of the
// words that it read to one of the sums_words `sums`. Writes: block b writes pieces b, b + blocks, ...; word
// w of the array becomes written_word(w).
[[nodiscard]] std::span<const cache_variant> cache_reads();
[[nodiscard]] std::span<const cache_variant> cache_writes();

}  // namespace ridge::backends::probe_cuda
