// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sgemm_kernel.hpp"

namespace ridge::cpu {

// The number of columns of B that are packed at once: with sgemm_depth rows 1 MiB, half of a large
// second-level cache.
inline constexpr std::int64_t sgemm_block_columns = 1024;
inline constexpr std::int64_t sgemm_most_columns = 32;  // of a tile of any kernel
inline constexpr std::int64_t sgemm_panel_floats = sgemm_kernel::most_rows * sgemm_panel_stride;

struct sgemm_problem {
  std::int64_t m = 0, n = 0, k = 0;
  const float* a = nullptr;
  std::int64_t lda = 0;
  const float* b = nullptr;
  std::int64_t ldb = 0;
  float* c = nullptr;
  std::int64_t ldc = 0;
};

// Rows `row..row+k` and columns `column..column+n` of B, and their contribution to C.
struct sgemm_block {
  std::int64_t row = 0, k = 0;
  std::int64_t column = 0, n = 0;
};

// Whether A or B is read without packing, which costs more than it saves where a matrix fits the caches
// unpacked.
[[nodiscard]] bool reads_a_in_place(const sgemm_problem& p);
[[nodiscard]] bool reads_b_in_place(const sgemm_problem& p);

// Copies the block's panels [begin, end), of kernel.columns() columns each, to `packed`, where panel i begins
// at i * kernel.columns() * block.k; the last one is filled up with zeros. Whole panels that are read in
// place are not copied.
void pack_panels(const sgemm_kernel& kernel, const sgemm_problem& p, const sgemm_block& block,
                 std::int64_t begin, std::int64_t end, float* packed);

// Adds the block's product to the panels [begin, end), of kernel.rows rows each, of C; the first block of k
// overwrites them. `packed` is the whole block, `panel` is memory for one panel of A.
void multiply_panels(const sgemm_kernel& kernel, const sgemm_problem& p, const sgemm_block& block,
                     std::int64_t begin, std::int64_t end, const float* packed, float* panel);

}  // namespace ridge::cpu
