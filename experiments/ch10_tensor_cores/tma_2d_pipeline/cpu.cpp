// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstddef>

#include <ridge/harness/experiment.hpp>

#include "tma_2d_pipeline.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ridge::experiments::ch10_tma_2d_pipeline::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t line_elements = 64 / sizeof(float);

// The largest magnitude of a row's `count` elements; those of the columns follow.
float take_row(const float* row, std::size_t count, float* of_columns) {
  const hn::CappedTag<float, side> d;
  const std::size_t lanes = hn::Lanes(d);
  auto most = hn::Zero(d);
  std::size_t x = 0;
  for (; x + lanes <= count; x += lanes) {
    const auto magnitudes = hn::Abs(hn::LoadU(d, row + x));
    most = hn::Max(most, magnitudes);
    hn::StoreU(hn::Max(hn::LoadU(d, of_columns + x), magnitudes), d, of_columns + x);
  }
  float largest = hn::GetLane(hn::MaxOfLanes(d, most));
  for (; x < count; ++x) {
    largest = std::max(largest, std::abs(row[x]));
    of_columns[x] = std::max(of_columns[x], std::abs(row[x]));
  }
  return largest;
}

// Tile after tile; with each row of a tile the same row of the tile that is `distance` further on is asked
// for.
void take_tiles(const workload& w, std::size_t distance) {
  const std::size_t across = tiles_along(w.columns), tiles = across * tiles_along(w.rows);
  for (std::size_t t = 0; t < tiles; ++t) {
    const std::size_t top = t / across * side, left = t % across * side;
    const std::size_t height = std::min(side, w.rows - top), width = std::min(side, w.columns - left);
    const std::size_t next = t + distance, next_top = next / across * side, next_left = next % across * side;
    const std::size_t asked = distance == 0 || next >= tiles ? 0 : std::min(side, w.rows - next_top);
    float* const of_columns = w.column_maxima.data() + top / side * w.columns + left;
    std::fill_n(of_columns, width, 0.0F);
    for (std::size_t y = 0; y < height; ++y) {
      if (y < asked) {
        const float* const row = w.matrix.data() + (next_top + y) * w.pitch + next_left;
        for (std::size_t x = 0; x < std::min(side, w.columns - next_left); x += line_elements)
          hwy::Prefetch(row + x);
      }
      w.row_maxima[left / side * w.rows + top + y] =
          take_row(w.matrix.data() + (top + y) * w.pitch + left, width, of_columns);
    }
  }
}

}  // namespace ridge::experiments::ch10_tma_2d_pipeline::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ridge::experiments::ch10_tma_2d_pipeline {
HWY_EXPORT(take_tiles);
namespace {

template <std::size_t Distance>
void tiles_ahead(workload& w, call&) {
  HWY_DYNAMIC_DISPATCH(take_tiles)(w, Distance);
}

}  // namespace

ladder<workload> cpu() {
  return {
      {.name = "no_prefetch",
       .is = role::baseline,
       .idea = "a tile is asked for when its elements are needed",
       .run = tiles_ahead<0>},
      {.name = "ahead_1", .idea = "the next tile is asked for, row by row", .run = tiles_ahead<1>},
      {.name = "ahead_2", .idea = "the tile after the next", .run = tiles_ahead<2>},
      {.name = "ahead_4", .idea = "the fourth tile from here", .run = tiles_ahead<4>},
  };
}

}  // namespace ridge::experiments::ch10_tma_2d_pipeline
#endif
