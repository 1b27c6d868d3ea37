// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

#include "w4a16_gemm.hpp"

// How the weights of a matrix lie in memory for the kernels: a record of `record_bytes` for every block of
// 256 rows and 128 terms, first all terms of a block. A record holds 32 bytes of codes for each lane of each
// of 16 warps, in the order in which matrix instructions take them, and then the scales.
namespace ridge::experiments::ch09_w4a16_gemm {

inline constexpr std::size_t block_rows = 256, block_terms = 128;
inline constexpr std::size_t code_bytes = block_rows * block_terms / 2;

[[nodiscard]] __host__ __device__ constexpr std::size_t scale_bytes(format f) {
  return block_rows * block_terms / terms_a_scale(f) * bytes_a_scale(f);
}
[[nodiscard]] __host__ __device__ constexpr std::size_t record_bytes(format f) {
  return code_bytes + scale_bytes(f);
}

[[nodiscard]] __host__ __device__ constexpr std::size_t blocks_of(std::size_t extent, std::size_t block) {
  return (extent + block - 1) / block;
}
[[nodiscard]] __host__ __device__ constexpr std::size_t packed_bytes(format f, std::size_t rows,
                                                                     std::size_t terms) {
  return blocks_of(rows, block_rows) * blocks_of(terms, block_terms) * record_bytes(f);
}

}  // namespace ridge::experiments::ch09_w4a16_gemm
