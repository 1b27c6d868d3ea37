// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace ridge::cpu {

// The part of k that one pass over C covers: a packed panel of A (rows x depth) then fits the first-level
// cache, and the packed block of B the second.
inline constexpr std::int64_t sgemm_depth = 256;
// Floats between the rows of a packed panel of A: 17 cache lines, so that rows fall into different sets.
inline constexpr std::int64_t sgemm_panel_stride = sgemm_depth + 16;

// One tile of C in registers, `rows` x (vectors * lanes): C = A B, or C += A B, over k steps.
struct sgemm_tile {
  std::int64_t k = 0;
  const float* a = nullptr;  // a[i * a_stride + p]
  std::int64_t a_stride = 0;
  const float* b = nullptr;  // b[p * b_stride + j]
  std::int64_t b_stride = 0;
  float* c = nullptr;
  std::int64_t c_stride = 0;
  bool accumulate = false;
};

// The register kernels of one instruction set.
struct sgemm_kernel {
  static constexpr std::int64_t most_rows = 14;
  using tile = void (*)(const sgemm_tile&);
  using copy = void (*)(const float* source, std::int64_t from_stride, std::int64_t rows, float* target);

  std::int64_t rows = 0;   // of the full tile, at most most_rows
  std::int64_t lanes = 0;  // floats in a vector; the full tile is two vectors wide
  // Indexed by the number of rows minus one, then by the number of vectors minus one. In `packed` a_stride is
  // sgemm_panel_stride.
  tile packed[most_rows][2] = {};
  tile in_place[most_rows][2] = {};
  copy pack_columns = nullptr;  // rows x columns() of B to contiguous memory

  [[nodiscard]] std::int64_t columns() const { return 2 * lanes; }
};

// The kernels of the widest instruction set that this CPU has.
[[nodiscard]] const sgemm_kernel& best_sgemm_kernel();

}  // namespace ridge::cpu
