// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

#include "w4a16_gemm.hpp"

// How the weights of a matrix lie in memory for the kernels: in tiles of 16 rows and 128 terms. A tile holds
// 1 KiB of codes in the order in which the lanes of a warp hold them as the first operand of matrix
// instructions: 16 bytes for each lane of the first 64 terms, then of the others. The tiles of a block of
// rows and the same terms follow one another, then those of the next terms, then of the next rows. The scales
// lie behind all codes, in the same order of tiles.
namespace ridge::experiments::ch09_w4a16_gemm {

inline constexpr std::size_t tile_rows = 16, tile_terms = group;
inline constexpr std::size_t group_bytes = 2 * group;  // of activations of a token
inline constexpr std::size_t code_bytes = tile_rows * tile_terms / 2;

// Bytes of a tile's scales: for each pair of rows r and r + 8, of every group of terms, those of both rows.
[[nodiscard]] __host__ __device__ constexpr std::size_t scale_bytes(format f) {
  return tile_rows * tile_terms / terms_a_scale(f) * bytes_a_scale(f);
}

[[nodiscard]] __host__ __device__ constexpr std::size_t blocks_of(std::size_t extent, std::size_t block) {
  return (extent + block - 1) / block;
}

// A matrix of `rows` and `terms`, a multiple of 128, in blocks of rows of `block` tiles. The last one may
// have tiles beyond the matrix, which hold zeros.
struct packed_tiles {
  std::size_t rows = 0, terms = 0;
  unsigned block = 1;
  [[nodiscard]] __host__ __device__ constexpr std::size_t groups() const { return terms / tile_terms; }
  [[nodiscard]] __host__ __device__ constexpr std::size_t row_blocks() const {
    return blocks_of(rows, block * tile_rows);
  }
  [[nodiscard]] __host__ __device__ constexpr std::size_t tiles() const {
    return row_blocks() * block * groups();
  }
  [[nodiscard]] __host__ __device__ constexpr std::size_t bytes(format f) const {
    return tiles() * (code_bytes + scale_bytes(f));
  }
};

}  // namespace ridge::experiments::ch09_w4a16_gemm
