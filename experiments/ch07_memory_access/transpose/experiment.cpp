// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>

#include <ridge/harness/experiment.hpp>

#include "transpose.hpp"

// Blocks are arrays of vectors, which vectors of unknown length cannot form.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "experiment.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ridge::experiments::ch07_transpose::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using wide = hn::CappedTag<float, 16>;
constexpr std::size_t lanes = hn::MaxLanes(wide());
// A tile's rows of source and target lie in 64 pages each, which every TLB holds.
constexpr std::size_t tile = 64;

// Separating the even from the odd elements of all rows turns the bits of (row, column) by one place; after
// as many times as a column has bits, rows and columns have changed places.
template <bool Streaming>
void transpose_block(const float* source, std::size_t columns, float* target, std::size_t rows) {
  const wide d;
  hn::Vec<wide> v[lanes];
  for (std::size_t i = 0; i < lanes; ++i) v[i] = hn::LoadU(d, source + i * columns);
#if HWY_TARGET != HWY_SCALAR  // whose block is one element
  hn::Vec<wide> turned[lanes];
  for (std::size_t turns = 1; turns < lanes; turns *= 2) {
    for (std::size_t i = 0; i < lanes / 2; ++i) {
      turned[i] = hn::ConcatEven(d, v[2 * i + 1], v[2 * i]);
      turned[i + lanes / 2] = hn::ConcatOdd(d, v[2 * i + 1], v[2 * i]);
    }
    for (std::size_t i = 0; i < lanes; ++i) v[i] = turned[i];
  }
#endif
  for (std::size_t i = 0; i < lanes; ++i) {
    if constexpr (Streaming) {
      hn::Stream(v[i], d, target + i * rows);
    } else {
      hn::StoreU(v[i], d, target + i * rows);
    }
  }
}

// The rows [row, row_end) and columns [column, column_end) of the source.
template <bool Streaming>
void transpose_tile(const workload& w, std::size_t row, std::size_t row_end, std::size_t column,
                    std::size_t column_end) {
  const std::size_t whole_rows = row + (row_end - row) / lanes * lanes;
  const std::size_t whole_columns = column + (column_end - column) / lanes * lanes;
  for (std::size_t x = column; x < whole_columns; x += lanes)
    for (std::size_t y = row; y < whole_rows; y += lanes)
      transpose_block<Streaming>(w.source.data() + y * w.columns + x, w.columns,
                                 w.target.data() + x * w.rows + y, w.rows);
  for (std::size_t x = column; x < column_end; ++x)
    for (std::size_t y = x < whole_columns ? whole_rows : row; y < row_end; ++y)
      w.target[x * w.rows + y] = w.source[y * w.columns + x];
}

template <bool Streaming>
void transpose_tiles(const workload& w) {
  for (std::size_t row = 0; row < w.rows; row += tile)
    for (std::size_t column = 0; column < w.columns; column += tile)
      transpose_tile<Streaming>(w, row, std::min(row + tile, w.rows), column,
                                std::min(column + tile, w.columns));
}

void transpose(const workload& w) { transpose_tiles<false>(w); }

// Stores around the caches where every row of the target begins at a vector's boundary.
void transpose_streaming(const workload& w) {
  const auto misaligned = reinterpret_cast<std::uintptr_t>(w.target.data()) % (lanes * sizeof(float));
  if (misaligned != 0 || w.rows % lanes != 0) return transpose_tiles<false>(w);
  transpose_tiles<true>(w);
  hwy::FlushStream();
}

}  // namespace ridge::experiments::ch07_transpose::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ridge::experiments::ch07_transpose {
HWY_EXPORT(transpose);
HWY_EXPORT(transpose_streaming);
namespace {

void naive(workload& w, call&) {
  for (std::size_t y = 0; y < w.rows; ++y)
    for (std::size_t x = 0; x < w.columns; ++x) w.target[x * w.rows + y] = w.source[y * w.columns + x];
}

void blocks(workload& w, call&) { HWY_DYNAMIC_DISPATCH(transpose)(w); }
void streaming(workload& w, call&) { HWY_DYNAMIC_DISPATCH(transpose_streaming)(w); }

double expected(const workload& w, std::size_t i) { return w.source[i % w.rows * w.columns + i / w.rows]; }

// A written line is read first unless its store goes around the caches.
double cached_traffic(const problem& p) { return 3 * 4 * p.real("rows") * p.real("columns"); }

ladder<workload> cpu() {
  return {
      {.name = "naive",
       .is = role::baseline,
       .idea = "two loops: every write is to another line and another page",
       .run = naive,
       .traffic = cached_traffic},
      {.name = "simd_blocks",
       .idea = "blocks as wide as a vector are transposed in registers, in tiles that caches and TLB hold",
       .run = blocks,
       .traffic = cached_traffic,
       .explanation = "the baseline moves a line of sixteen elements for each that it writes"},
      {.name = "streaming",
       .idea = "whole lines are stored around the caches: none is read to be overwritten",
       .run = streaming,
       .explanation = "the baseline moves a line of sixteen elements for each that it writes"},
  };
}

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch07.transpose",
      .title = "A matrix transposed",
      .question = "How close to copy speed can a transpose run?",
      .answers = {"B7.1", "B7.3"},
      .tags = {"memory", "access-pattern", "shared-memory", "tma"},
      // A GPU's grid has at most 65535 blocks along y, each of eight rows.
      .axes = {between(on_cuda(values("rows", {2048, 1024}, {0, 1, 31, 33, 64, 100, 257}), {16384, 32768}), 0,
                       65535 * 8),
               between(on_cuda(values("columns", {2048, 1024}, {0, 1, 16, 63, 65, 132}), {16384, 32768}), 0,
                       1 << 19)},
      .skip =
          [](const problem& p) {
            return std::min(p.count("rows"), p.count("columns")) >= 1024 &&
                   p.count("rows") != p.count("columns");
          },
      .make =
          [](const problem& p, memory& m) {
            const auto rows = p.count("rows"), columns = p.count("columns"), n = product(rows, columns);
            return workload{rows, columns, m.in<float>(n, normal{}), m.out<float>(n)};
          },
      .work =
          [](const problem& p) {
            const auto rows = p.count("rows"), columns = p.count("columns");
            return work::streaming(reads<float>(rows, columns), writes<float>(rows, columns));
          },
      .oracle = each_element(&workload::target, expected),
      .element = expected,
      .within = exact(),
      .cpu = cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch07_transpose
#endif
