// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <cuda_runtime_api.h>

// Kernels that stream through device memory, in variants to try, as the best one differs between GPUs.
namespace ridge::backends::probe_cuda {

// What a kernel does with its arrays.
enum class traffic : std::uint8_t { read, write, copy, triad };

// The arrays of a kernel, of `bytes` each, a multiple of 1 MiB, in device memory. `sums` has sums_words
// words.
struct stream_arrays {
  const uint4* a = nullptr;
  const uint4* b = nullptr;
  uint4* target = nullptr;
  std::uint32_t* sums = nullptr;
  std::size_t bytes = 0;
};

// The order of a block's pieces of threads x vectors. interleaved: every block takes the next piece in turn;
// chunked: a block takes a contiguous part of the array; many: a block takes a few contiguous pieces, with
// far more blocks than run at once.
enum class walk : std::uint8_t { interleaved, chunked, many };

// One kernel and its launch.
struct stream_variant {
  std::string_view access{};                            // instructions and cache operators
  int least_major = 8;                                  // lowest major compute capability
  unsigned threads = 0, vectors = 0, vector_bytes = 0;  // bulk copies: `vectors` stages
  walk order{};
  unsigned count = 0;  // blocks per multiprocessor; many: pieces per block
  void (*launch)(const stream_variant&, const stream_arrays&, int processors, cudaStream_t) = nullptr;
};

// The variant's name: "nc.no_allocate 512 x 8 x 16 B, 2 blocks/SM interleaved".
[[nodiscard]] std::string name(const stream_variant& variant);

// The variants, the one that is expected to be best first. read: each block adds the sum modulo 2^32 of its
// words of `a` to one of `sums`; write: word w of `target` becomes written_word(w); copy: target = a; triad:
// target = a + triad_factor b of floats. The second function has those that use bulk copies.
[[nodiscard]] std::span<const stream_variant> variants_of(traffic kind);
[[nodiscard]] std::span<const stream_variant> bulk_variants_of(traffic kind);

inline constexpr float triad_factor = 0.375f;

// Number of blocks of a variant's launch.
[[nodiscard]] unsigned blocks_of(const stream_variant& variant, std::size_t bytes, int processors);
// Number of sums: few enough to stay in the L2, so that the device memory that is read is not written, and
// enough that blocks seldom wait for each other.
inline constexpr std::size_t sums_words = 1024;

}  // namespace ridge::backends::probe_cuda
