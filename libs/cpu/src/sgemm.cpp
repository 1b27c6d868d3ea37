// SPDX-License-Identifier: Apache-2.0
#include <ridge/cpu/sgemm.hpp>

#include <algorithm>
#include <cstdint>

#include <ridge/base/expects.hpp>
#include <ridge/host/team.hpp>

#include "sgemm_blocks.hpp"

namespace ridge::cpu {
namespace {

constexpr std::size_t alignment_bytes = 64;

constexpr std::int64_t blocks_of(std::int64_t count, std::int64_t size) { return (count + size - 1) / size; }

// The size of blocks of at most `most` that are nearly equal, so that the last one is not much smaller.
constexpr std::int64_t even_block(std::int64_t count, std::int64_t most) {
  return blocks_of(count, blocks_of(count, most));
}

float* aligned(std::span<float> workspace) {
  const auto past = reinterpret_cast<std::uintptr_t>(workspace.data()) % alignment_bytes;
  return workspace.data() + (alignment_bytes - past) % alignment_bytes / sizeof(float);
}

struct share {
  int rank = 0, ranks = 1;
  [[nodiscard]] std::int64_t begin(std::int64_t count) const { return count * rank / ranks; }
  [[nodiscard]] std::int64_t end(std::int64_t count) const { return count * (rank + 1) / ranks; }
};

// One thread's part of the product; `meet` waits for the other threads.
template <class Meet>
void multiply(const sgemm_problem& p, share mine, float* memory, Meet meet) {
  const auto& kernel = best_sgemm_kernel();
  float* const panel = memory + mine.rank * sgemm_panel_floats;
  float* const packed = memory + mine.ranks * sgemm_panel_floats;
  const auto row_panels = blocks_of(p.m, kernel.rows);
  const auto depth = even_block(p.k, sgemm_depth);
  for (std::int64_t column = 0; column < p.n; column += sgemm_block_columns) {
    for (std::int64_t row = 0; row < p.k; row += depth) {
      const sgemm_block block{.row = row,
                              .k = std::min(depth, p.k - row),
                              .column = column,
                              .n = std::min(sgemm_block_columns, p.n - column)};
      const auto panels = blocks_of(block.n, kernel.columns());
      pack_panels(kernel, p, block, mine.begin(panels), mine.end(panels), packed);
      meet();
      multiply_panels(kernel, p, block, mine.begin(row_panels), mine.end(row_panels), packed, panel);
      meet();
    }
  }
}

// Checks the arguments and handles empty products; returns whether nothing is left to multiply.
bool settled(const sgemm_problem& p, std::span<float> workspace, int threads) {
  expects(p.m >= 0 && p.n >= 0 && p.k >= 0, "sgemm: sizes must not be negative");
  expects(p.lda >= p.k && p.ldb >= p.n && p.ldc >= p.n, "sgemm: a stride is shorter than its row");
  expects(workspace.size() >= sgemm_workspace(p.m, p.n, p.k, threads), "sgemm: the workspace is too small");
  if (p.k == 0) {
    for (std::int64_t i = 0; i < p.m; ++i) std::fill_n(p.c + i * p.ldc, p.n, 0.0F);
  }
  return p.m == 0 || p.n == 0 || p.k == 0;
}

}  // namespace

std::size_t sgemm_workspace(std::int64_t m, std::int64_t n, std::int64_t k, int threads) {
  if (m == 0 || n == 0 || k == 0) return 0;
  const auto columns = blocks_of(std::min(n, sgemm_block_columns), sgemm_most_columns) * sgemm_most_columns;
  const auto floats = threads * sgemm_panel_floats + columns * std::min(k, sgemm_depth);
  return static_cast<std::size_t>(floats) + alignment_bytes / sizeof(float);
}

void sgemm(std::int64_t m, std::int64_t n, std::int64_t k, const float* a, std::int64_t lda, const float* b,
           std::int64_t ldb, float* c, std::int64_t ldc, std::span<float> workspace) {
  const sgemm_problem p{m, n, k, a, lda, b, ldb, c, ldc};
  if (!settled(p, workspace, 1)) multiply(p, {}, aligned(workspace), [] {});
}

void sgemm(host::team& team, std::int64_t m, std::int64_t n, std::int64_t k, const float* a, std::int64_t lda,
           const float* b, std::int64_t ldb, float* c, std::int64_t ldc, std::span<float> workspace) {
  const sgemm_problem p{m, n, k, a, lda, b, ldb, c, ldc};
  if (settled(p, workspace, team.size())) return;
  float* const memory = aligned(workspace);
  team.run([&](int rank, int ranks) { multiply(p, {rank, ranks}, memory, [&] { team.barrier(); }); });
}

}  // namespace ridge::cpu
