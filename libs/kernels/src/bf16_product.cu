// SPDX-License-Identifier: Apache-2.0
#include <ridge/kernels/bf16_product.hpp>

#include <limits>
#include <type_traits>

#include <ridge/kernels/product_launch.cuh>
#include <ridge/kernels/tile_choice.hpp>

namespace ridge::kernels {
namespace {

using product = std::function<void(cudaStream_t)>;

constexpr unsigned rows_of_band = 8;

// Blocks that stay and make one tile after the other. For a tile of 192 sums a thread ptxas finds registers
// in the kernel that could split tiles, and not in the one that cannot.
template <class Tile>
product persistent(const product_operands& p) {
  using schedule_of_tile = std::conditional_t<(Tile::blocks * Tile::columns > 256), equal_runs, whole_tiles>;
  const schedule_of_tile schedule{order_of_tiles<Tile>(p, rows_of_band), steps_of<Tile>(p)};
  const auto most = blocks_at_once<Tile, schedule_of_tile>();
  return planned_product<Tile>(p, schedule, even_blocks<Tile>(schedule.order.tiles(), most));
}

template <unsigned Blocks, unsigned Columns, unsigned Stages, unsigned Down, unsigned BoxColumns,
          unsigned Boxes>
using tile =
    product_tile<bf16_operand, 2, Blocks, Columns, Stages, Down, 1, store_by::tensor_map, BoxColumns, Boxes>;

template <class... Tiles>
product cheapest(const product_operands& p) {
  const product_extent extent{p.m, p.n, steps_of<tile<1, 256, 4, 1, 64, 2>>(p)};
  const auto processors = blocks_at_once<tile<1, 256, 4, 1, 64, 2>, whole_tiles>();
  double least = std::numeric_limits<double>::infinity();
  product (*best)(const product_operands&) = nullptr;
  const auto consider = [&](const tile_extent& t, product (*make)(const product_operands&)) {
    const double cycles = product_cycles(t, extent, processors);
    if (cycles < least) least = cycles, best = make;
  };
  (consider({Tiles::rows, Tiles::columns, Tiles::down, Tiles::across}, persistent<Tiles>), ...);
  return best(p);
}

}  // namespace

product planned_bf16_product(const product_operands& p) {
  if (!maps_target(p))
    return persistent<product_tile<bf16_operand, 2, 1, 256, 4, 2, 1, store_by::threads>>(p);
  return cheapest<tile<1, 256, 4, 1, 64, 2>, tile<1, 256, 4, 2, 64, 2>, tile<2, 192, 3, 1, 64, 3>,
                  tile<1, 224, 4, 2, 56, 2>, tile<1, 208, 4, 2, 104, 2>, tile<1, 192, 5, 2, 64, 1>,
                  tile<1, 192, 5, 1, 64, 1>, tile<1, 176, 4, 2, 88, 2>, tile<1, 128, 6, 2, 64, 2>>(p);
}

}  // namespace ridge::kernels
