// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <ridge/device/philox.hpp>

// The definition of every generated number: integer functions of (key, index), the same on every compiler,
// instruction set and device. fill.hpp computes the same numbers faster; rounding to an element: line.hpp.
namespace ridge::device {

// What a block of a stream is used for; it is the last word of the counter, so that uses never share a block.
enum class purpose : std::uint32_t { words, normals, shuffles };

// Block `index` of the stream `key` for one purpose; `part` tells several blocks of one index apart.
constexpr philox_block block_at(std::uint64_t key, std::uint64_t index, purpose why, std::uint32_t part = 0) {
  return philox4x32({{static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32), part,
                      static_cast<std::uint32_t>(why)}},
                    static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32));
}

// Word `index` of the stream of uniform words. A group of 32 words comes from eight blocks: first words 0 and
// 1 of each block, then words 2 and 3 of each, so that vectors of any width store without a shuffle.
constexpr std::uint32_t word_at(std::uint64_t key, std::uint64_t index) {
  const std::uint64_t in_group = index % 32;
  const philox_block block = block_at(key, index / 32 * 8 + in_group % 16 / 2, purpose::words);
  // Chosen, not indexed: an index known only at run time would send the block through a GPU's memory.
  const std::uint32_t low = index % 2 == 0 ? block.word[0] : block.word[1];
  const std::uint32_t high = index % 2 == 0 ? block.word[2] : block.word[3];
  return in_group < 16 ? low : high;
}

// Words 2 index (low) and 2 index + 1 (high).
constexpr std::uint64_t wide_word_at(std::uint64_t key, std::uint64_t index) {
  return word_at(key, 2 * index) | std::uint64_t{word_at(key, 2 * index + 1)} << 32;
}

// The `bytes` (1, 2, 4 or 8) of element `index` of the stream, read as one string of little-endian words.
constexpr std::uint64_t bits_at(std::uint64_t key, std::uint64_t index, std::uint32_t bytes) {
  if (bytes == 8) return wide_word_at(key, index);
  const std::uint32_t per_word = 4 / bytes;
  const std::uint32_t word = word_at(key, index / per_word) >> (8 * bytes * (index % per_word));
  return bytes == 4 ? word : word & ((1u << (8 * bytes)) - 1u);
}

// The sum of twelve uniform 16-bit numbers less its mean: -393210 .. 393210, standard deviation 65536 within
// 1e-9, excess kurtosis -0.1. Elements 2j and 2j+1 share three blocks.
inline constexpr std::int32_t normal_centre = 393210;

// The even (odd = 0) or odd element of a pair, from its own block and the one they share.
constexpr std::int32_t normal_from(const philox_block& own, const philox_block& shared, std::uint32_t odd) {
  std::uint32_t sum = 0;
  for (const std::uint32_t word : own.word) sum += (word & 0xFFFFu) + (word >> 16);
  for (std::uint32_t i = 0; i < 2; ++i) {
    const std::uint32_t word = odd != 0 ? shared.word[2 + i] : shared.word[i];
    sum += (word & 0xFFFFu) + (word >> 16);
  }
  return static_cast<std::int32_t>(sum) - normal_centre;
}

// Element `index` of the stream of centred sums.
constexpr std::int32_t normal_at(std::uint64_t key, std::uint64_t index) {
  const std::uint64_t pair = index / 2;
  const std::uint32_t odd = index % 2;
  return normal_from(block_at(key, pair, purpose::normals, 2 * odd), block_at(key, pair, purpose::normals, 1),
                     odd);
}

// The high 64 bits of a product.
constexpr std::uint64_t high_product(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t a0 = a & 0xFFFFFFFFu, a1 = a >> 32, b0 = b & 0xFFFFFFFFu, b1 = b >> 32;
  const std::uint64_t low = a0 * b0 >> 32, cross = a1 * b0 + low;
  return a1 * b1 + (cross >> 32) + ((a0 * b1 + (cross & 0xFFFFFFFFu)) >> 32);
}

// 0 .. below-1: one word a number up to 2^32, two beyond; bias at most below / 2^32 or 2^64 of a probability.
constexpr std::uint64_t integer_at(std::uint64_t key, std::uint64_t index, std::uint64_t below) {
  if (below <= (std::uint64_t{1} << 32)) return word_at(key, index) * below >> 32;
  return high_product(wide_word_at(key, index), below);
}

}  // namespace ridge::device
