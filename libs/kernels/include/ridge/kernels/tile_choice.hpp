// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

// What a product costs by tiles of one shape or another, before any of them runs. Ranking tiles by the larger
// of their bottlenecks, times the rounds that they need, follows DeepGEMM (2025).
namespace ridge::kernels {

// A block's tile, and the cluster of blocks that share its operands.
struct tile_extent {
  unsigned rows = 0, columns = 0;
  unsigned down = 1, across = 1;
};

// A product in steps of 128 bytes of each row: 64 terms of bf16, 128 of e4m3.
struct product_extent {
  std::int64_t m = 0, n = 0, steps = 0;
};

// Cycles of a multiprocessor for one step of a tile: what takes longest of the multiplications, of reads of
// shared memory (b once for every 64 rows of a) and of the second-level cache. The cache's bytes cost power,
// and so time, even where they do not bound: a tenth of theirs on an H100, where 256 columns in clusters of
// two are 2 % faster at 8192 than 192.
[[nodiscard]] constexpr double step_cycles(const tile_extent& t) {
  constexpr double row = 128;                                 // bytes
  constexpr double products_a_cycle = 32;                     // of 128 bytes: 4096 flop in bf16, 8192 in e4m3
  constexpr double shared_a_cycle = 128, cache_a_cycle = 48;  // bytes
  const double rows = t.rows, columns = t.columns;
  const double multiply = rows * columns / products_a_cycle;
  const double shared = row * rows / 64 * (64 + columns) / shared_a_cycle;
  const double cache = row * (rows / t.across + columns / t.down) / cache_a_cycle;
  return std::max({multiply, shared, cache}) + cache / 10;
}

// Cycles of a tile beside its steps: filling the ring, for which blocks of a cluster wait on each other, and
// storing the sums, which takes longer where rows of a tile are not whole lines of memory.
[[nodiscard]] constexpr double tile_cycles(const tile_extent& t) {
  const double fill = t.down * t.across > 1 ? 2700 : 1500;
  const double store_a_column = t.columns % 64 == 0 ? 6 : 30;
  return fill + store_a_column * t.columns;
}

// Number of clusters' tiles that cover the product.
[[nodiscard]] constexpr std::int64_t tiles_of(const tile_extent& t, const product_extent& p) {
  const auto many = [](std::int64_t extent, std::int64_t each) { return (extent + each - 1) / each; };
  return many(p.m, std::int64_t{t.rows} * t.down) * many(p.n, std::int64_t{t.columns} * t.across);
}

// Cycles of the whole product on `processors` multiprocessors: rounds of tiles.
[[nodiscard]] constexpr double product_cycles(const tile_extent& t, const product_extent& p,
                                              unsigned processors) {
  const auto teams = processors / (t.down * t.across);
  const auto rounds = (tiles_of(t, p) + teams - 1) / teams;
  return static_cast<double>(rounds) * (static_cast<double>(p.steps) * step_cycles(t) + tile_cycles(t));
}

}  // namespace ridge::kernels
