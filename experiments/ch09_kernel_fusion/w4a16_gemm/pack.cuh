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
  std::size_t rows = 0, terms = 0;       // terms: a multiple of 128
};

inline constexpr unsigned pack_threads = 256;

// A thread makes 4 bytes of a record: codes of two rows and four terms, or scales.
template <format F>
__global__ void __launch_bounds__(pack_threads) pack_weights(stored_weights stored, std::uint32_t* packed) {
  constexpr unsigned words = record_bytes(F) / 4, code_words = code_bytes / 4;
  const std::size_t blocks = stored.terms / block_terms;
  const std::size_t i = blockIdx.x * std::size_t{pack_threads} + threadIdx.x, record = i / words;
  if (record >= blocks_of(stored.rows, block_rows) * blocks) return;
  const std::size_t first_row = record / blocks * block_rows, first_term = record % blocks * block_terms;
  const auto w = static_cast<unsigned>(i % words);
  std::uint32_t word = 0;
  if (w < code_words) {
    const unsigned warp = w / 256, half = w / 128 % 2, lane = w / 4 % 32, step = w % 4;
    for (unsigned r = 0; r < 4; ++r) {
      const std::size_t row = first_row + warp * 16 + lane / 4 + r % 2 * 8;
      const std::size_t term = first_term + half * 64 + step * 16 + lane % 4 * 2 + r / 2 * 8;
      const std::uint32_t both = row < stored.rows ? stored.codes[(row * stored.terms + term) / 2]
                                                   : (F == format::int4 ? 0x88U : 0U);
      word |= place(F, both & 15U, r) | place(F, both >> 4, r) << 16;
    }
  } else {
    // Of a lane's two rows r and r + 8: the scales of each group of terms, r first.
    constexpr unsigned bytes = bytes_a_scale(F), groups = block_terms / terms_a_scale(F);
    for (unsigned b = 0; b < 4; b += bytes) {
      const unsigned at = ((w - code_words) * 4 + b) / bytes, second = at % 2, g = at / 2 % groups;
      const unsigned lane_row = at / 2 / groups;
      const std::size_t row = first_row + lane_row / 8 * 16 + lane_row % 8 + second * 8;
      if (row >= stored.rows) continue;
      const std::size_t scale = row * (stored.terms / terms_a_scale(F)) + first_term / terms_a_scale(F) + g;
      for (unsigned k = 0; k < bytes; ++k)
        word |= std::uint32_t{stored.scales[scale * bytes + k]} << (8 * (b + k));
    }
  }
  packed[i] = word;
}

}  // namespace ridge::experiments::ch09_w4a16_gemm
