// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unpack.cuh"

// Packs codes and scales as packed.hpp says. Weights beyond the matrix are zero.
namespace ridge::experiments::ch09_w4a16_gemm {

// The weights as a model's file holds them: two codes a byte, the first in the low half, rows of terms / 2
// bytes; a row's scales follow one another.
struct stored_weights {
  const std::uint8_t* codes = nullptr;
  const std::uint8_t* scales = nullptr;  // of two bytes each for int4
  packed_tiles tiles{};
};

inline constexpr unsigned pack_threads = 256;

// A word of a tile: codes of two rows and four terms.
template <format F>
__device__ std::uint32_t pack_codes(const stored_weights& stored, std::size_t first_row,
                                    std::size_t first_term, unsigned w) {
  const unsigned half = w / 128, lane = w / 4 % 32, step = w % 4;
  std::uint32_t word = 0;
  for (unsigned r = 0; r < 4; ++r) {
    const std::size_t row = first_row + lane / 4 + r % 2 * 8;
    const std::size_t term = first_term + half * 64 + step * 16 + lane % 4 * 2 + r / 2 * 8;
    const std::uint32_t both = row < stored.tiles.rows ? stored.codes[(row * stored.tiles.terms + term) / 2]
                                                       : (F == format::int4 ? 0x88U : 0U);
    word |= place(F, both & 15U, r) | place(F, both >> 4, r) << 16;
  }
  return word;
}

// A word of a tile's scales.
template <format F>
__device__ std::uint32_t pack_scales(const stored_weights& stored, std::size_t first_row,
                                     std::size_t first_term, unsigned w) {
  constexpr unsigned bytes = bytes_a_scale(F), groups = tile_terms / terms_a_scale(F);
  std::uint32_t word = 0;
  for (unsigned b = 0; b < 4; b += bytes) {
    const unsigned at = (w * 4 + b) / bytes;
    const std::size_t row = first_row + at / 2 / groups + at % 2 * 8;
    if (row >= stored.tiles.rows) continue;
    const std::size_t scale = (row * stored.tiles.terms + first_term) / terms_a_scale(F) + at / 2 % groups;
    for (unsigned k = 0; k < bytes; ++k)
      word |= std::uint32_t{stored.scales[scale * bytes + k]} << (8 * (b + k));
  }
  return word;
}

// A thread makes 4 bytes.
template <format F>
__global__ void __launch_bounds__(pack_threads) pack_weights(stored_weights stored, std::uint32_t* packed) {
  constexpr unsigned code_words = code_bytes / 4, scale_words = scale_bytes(F) / 4;
  const std::size_t groups = stored.tiles.groups(), tiles_a_block = stored.tiles.block;
  const std::size_t i = blockIdx.x * std::size_t{pack_threads} + threadIdx.x;
  const std::size_t all_codes = stored.tiles.tiles() * code_words;
  if (i * 4 >= stored.tiles.bytes(F)) return;
  const bool is_code = i < all_codes;
  const std::size_t index = is_code ? i / code_words : (i - all_codes) / scale_words;
  const auto w = static_cast<unsigned>(is_code ? i % code_words : (i - all_codes) % scale_words);
  const std::size_t row =
      (index / tiles_a_block / groups * tiles_a_block + index % tiles_a_block) * tile_rows;
  const std::size_t term = index / tiles_a_block % groups * tile_terms;
  packed[i] = is_code ? pack_codes<F>(stored, row, term, w) : pack_scales<F>(stored, row, term, w);
}

}  // namespace ridge::experiments::ch09_w4a16_gemm
