// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <cuda_runtime_api.h>

// Kernels that go over an array in the L2 again and again.
namespace ridge::backends::probe_cuda {

struct cache_variant {
  std::string_view name{};
  unsigned threads = 0, vectors = 0, blocks_a_processor = 0;
  // Each block touches pieces_a_block pieces, some more than once.
  void (*launch)(const cache_variant&, uint4* array, unsigned array_pieces, unsigned pieces_a_block,
                 std::uint32_t* sums, int processors, cudaStream_t) = nullptr;
  [[nodiscard]] std::size_t piece_bytes() const { return std::size_t{threads} * vectors * sizeof(uint4); }
};

// Best expected first. Reads: a block reads the array's pieces one after the other from its own on, and
// writes the sum of the words modulo 2^32, one for each of its warps, to `sums`. Writes: block b writes
// pieces b, b + blocks, ...; word w of the array becomes written_word(w).
[[nodiscard]] std::span<const cache_variant> cache_reads();
[[nodiscard]] std::span<const cache_variant> cache_writes();

}  // namespace ridge::backends::probe_cuda
