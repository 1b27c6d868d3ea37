// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <cuda_runtime_api.h>

// Kernels that stream through device memory, in variants to be tried: what is best differs between GPUs.
namespace ridge::backends::probe_cuda {

enum class traffic : std::uint8_t { read, write, copy, triad };

// Of `bytes` each, a multiple of 1 MiB, on the device. `sums` has sums_words.
struct stream_arrays {
  const uint4* a = nullptr;
  const uint4* b = nullptr;
  uint4* to = nullptr;
  std::uint32_t* sums = nullptr;
  std::size_t bytes = 0;
};

// The order of a block's pieces, each threads x vectors: every so many blocks' next, a contiguous part of the
// array, or as contiguous but with as many blocks as that takes, far more than fit at once.
enum class walk : std::uint8_t { interleaved, chunked, many };

struct stream_variant {
  std::string_view access{};                            // instructions and cache operators
  int least_major = 8;                                  // compute capability
  unsigned threads = 0, vectors = 0, vector_bytes = 0;  // bulk copies: stages of vector_bytes
  walk how{};
  unsigned count = 0;  // blocks a multiprocessor; many: pieces a block
  void (*launch)(const stream_variant&, const stream_arrays&, int processors, cudaStream_t) = nullptr;
};

// "nc.no_allocate 512 x 8 x 16 B, 2 blocks/SM interleaved".
[[nodiscard]] std::string name(const stream_variant& variant);

// Best expected first. read: each block adds the sum of its words of `a` modulo 2^32 to one of `sums`;
// write: word w of `to` is written_word(w); copy: to = a; triad: to = a + triad_factor b of floats.
[[nodiscard]] std::span<const stream_variant> variants_of(traffic what);
[[nodiscard]] std::span<const stream_variant> bulk_variants_of(traffic what);

inline constexpr float triad_factor = 0.375f;

// The blocks of a variant's launch.
[[nodiscard]] unsigned blocks_of(const stream_variant& variant, std::size_t bytes, int processors);
// Few enough to stay in the L2, so that nothing is written to the memory that is read, and enough that blocks
// seldom wait for each other.
inline constexpr std::size_t sums_words = 1024;

}  // namespace ridge::backends::probe_cuda
