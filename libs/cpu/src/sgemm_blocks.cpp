// SPDX-License-Identifier: Apache-2.0
#include "sgemm_blocks.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace ridge::cpu {
namespace {

void copy_rows(const float* source, std::int64_t from_stride, std::int64_t rows, std::int64_t columns,
               float* target, std::int64_t to_stride) {
  for (std::int64_t i = 0; i < rows; ++i)
    std::copy_n(source + i * from_stride, columns, target + i * to_stride);
}

void add_rows(const float* source, std::int64_t from_stride, std::int64_t rows, std::int64_t columns,
              float* target, std::int64_t to_stride) {
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < columns; ++j) target[i * to_stride + j] += source[i * from_stride + j];
  }
}

// Computes a tile that is narrower than whole vectors in a buffer, so that nothing beyond C is written.
void multiply_ragged(sgemm_kernel::tile compute, sgemm_tile tile, std::int64_t rows, std::int64_t columns) {
  alignas(64) std::array<float, sgemm_kernel::most_rows * sgemm_most_columns> whole;
  float* const c = tile.c;
  const bool accumulate = tile.accumulate;
  const auto c_stride = tile.c_stride;
  tile.c = whole.data();
  tile.c_stride = sgemm_most_columns;
  tile.accumulate = false;
  compute(tile);
  if (accumulate) {
    add_rows(whole.data(), sgemm_most_columns, rows, columns, c, c_stride);
  } else {
    copy_rows(whole.data(), sgemm_most_columns, rows, columns, c, c_stride);
  }
}

}  // namespace

bool reads_a_in_place(const sgemm_problem& p) {
  return p.n <= 64 && p.k <= sgemm_depth && p.lda <= sgemm_depth;
}

bool reads_b_in_place(const sgemm_problem& p) { return p.m <= 128 && p.ldb <= 128; }

void pack_panels(const sgemm_kernel& kernel, const sgemm_problem& p, const sgemm_block& block,
                 std::int64_t begin, std::int64_t end, float* packed) {
  const auto width = kernel.columns();
  for (std::int64_t panel = begin; panel < end; ++panel) {
    const auto columns = std::min(width, block.n - panel * width);
    const float* source = p.b + block.row * p.ldb + block.column + panel * width;
    float* target = packed + panel * width * block.k;
    if (columns == width) {
      if (!reads_b_in_place(p)) kernel.pack_columns(source, p.ldb, block.k, target);
    } else {
      std::fill_n(target, width * block.k, 0.0F);
      copy_rows(source, p.ldb, block.k, columns, target, width);
    }
  }
}

void multiply_panels(const sgemm_kernel& kernel, const sgemm_problem& p, const sgemm_block& block,
                     std::int64_t begin, std::int64_t end, const float* packed, float* panel) {
  const auto width = kernel.columns();
  const bool a_in_place = reads_a_in_place(p), b_in_place = reads_b_in_place(p);
  for (std::int64_t row = begin * kernel.rows; row < std::min(p.m, end * kernel.rows); row += kernel.rows) {
    const auto rows = std::min(kernel.rows, p.m - row);
    const float* a = p.a + row * p.lda + block.row;
    if (!a_in_place) copy_rows(a, p.lda, rows, block.k, panel, sgemm_panel_stride);
    const auto& compute = (a_in_place ? kernel.in_place : kernel.packed)[rows - 1];
    sgemm_tile tile{.k = block.k,
                    .a = a_in_place ? a : panel,
                    .a_stride = p.lda,
                    .c_stride = p.ldc,
                    .accumulate = block.row > 0};
    for (std::int64_t column = 0; column < block.n; column += width) {
      const auto columns = std::min(width, block.n - column);
      const bool from_b = b_in_place && columns == width;
      tile.b = from_b ? p.b + block.row * p.ldb + block.column + column : packed + column * block.k;
      tile.b_stride = from_b ? p.ldb : width;
      tile.c = p.c + row * p.ldc + block.column + column;
      if (columns == width || columns == kernel.lanes) {
        compute[columns > kernel.lanes ? 1 : 0](tile);
      } else {
        multiply_ragged(compute[columns > kernel.lanes ? 1 : 0], tile, rows, columns);
      }
    }
  }
}

}  // namespace ridge::cpu
