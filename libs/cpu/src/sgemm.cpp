// SPDX-License-Identifier: Apache-2.0
#include <ridge/cpu/sgemm.hpp>

#include <algorithm>
#include <atomic>
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

// Gives out the panels of A of one block: most in equal shares, whose rows of C stay in the caches of their
// core from block to block, the rest one by one, since threads that share their cores fall behind.
class row_dealer {
 public:
  explicit row_dealer(std::int64_t panels) : panels_(panels) {}

  // Called by one thread while none takes panels.
  void begin(share any) { next_.store(equal(any), std::memory_order_relaxed); }

  template <class Multiply>
  void deal(share mine, Multiply multiply) {
    multiply(mine.begin(equal(mine)), mine.end(equal(mine)));
    if (mine.ranks == 1) return;
    while (true) {
      const auto panel = next_.fetch_add(1, std::memory_order_relaxed);
      if (panel >= panels_) return;
      multiply(panel, panel + 1);
    }
  }

 private:
  [[nodiscard]] std::int64_t equal(share any) const { return any.ranks == 1 ? panels_ : panels_ * 3 / 4; }
  std::int64_t panels_;
  std::atomic<std::int64_t> next_ = 0;
};

// One thread's part of the product; `meet` waits for the other threads.
template <class Meet>
void multiply(const sgemm_problem& p, share mine, row_dealer& rows, float* memory, Meet meet) {
  const auto& kernel = best_sgemm_kernel();
  float* const panel = memory + mine.rank * sgemm_panel_floats;
  float* const packed = memory + mine.ranks * sgemm_panel_floats;
  const auto depth = even_block(p.k, sgemm_depth);
  for (std::int64_t column = 0; column < p.n; column += sgemm_block_columns) {
    for (std::int64_t row = 0; row < p.k; row += depth) {
      const sgemm_block block{.row = row,
                              .k = std::min(depth, p.k - row),
                              .column = column,
                              .n = std::min(sgemm_block_columns, p.n - column)};
      const auto panels = blocks_of(block.n, kernel.columns());
      pack_panels(kernel, p, block, mine.begin(panels), mine.end(panels), packed);
      if (mine.rank == 0) rows.begin(mine);
      meet();
      rows.deal(mine, [&](std::int64_t begin, std::int64_t end) {
        multiply_panels(kernel, p, block, begin, end, packed, panel);
      });
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
  if (settled(p, workspace, 1)) return;
  row_dealer rows(blocks_of(m, best_sgemm_kernel().rows));
  multiply(p, {}, rows, aligned(workspace), [] {});
}

void sgemm(host::team& team, std::int64_t m, std::int64_t n, std::int64_t k, const float* a, std::int64_t lda,
           const float* b, std::int64_t ldb, float* c, std::int64_t ldc, std::span<float> workspace) {
  const sgemm_problem p{m, n, k, a, lda, b, ldb, c, ldc};
  if (settled(p, workspace, team.size())) return;
  float* const memory = aligned(workspace);
  row_dealer rows(blocks_of(m, best_sgemm_kernel().rows));
  team.run([&](int rank, int ranks) { multiply(p, {rank, ranks}, rows, memory, [&] { team.barrier(); }); });
}

}  // namespace ridge::cpu
