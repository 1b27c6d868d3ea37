// SPDX-License-Identifier: Apache-2.0
#include <ridge/kernels/product_launch.cuh>
#include <ridge/kernels/tile_choice.hpp>

#include "gemm_wgmma.hpp"
#include "operands.hpp"

namespace ridge::experiments::ch10_gemm_wgmma {
namespace {

using kernels::bf16_operand, kernels::e4m3_operand, kernels::product_tile, kernels::store_by;

// Two warpgroups make 128 x 256 sums; a ring of four stages of 48 KiB.
template <unsigned Down, store_by Store>
using rung_tile = product_tile<bf16_operand, 2, 1, 256, 4, Down, 1, Store>;

// One block a tile.
template <class Tile>
enqueued tile_a_block(const kernels::product_operands& p, unsigned band) {
  const kernels::whole_tiles schedule{kernels::order_of_tiles<Tile>(p, band), kernels::steps_of<Tile>(p)};
  return kernels::planned_product<Tile>(p, schedule, schedule.order.tiles());
}

// Blocks that stay and make one tile after the other.
template <class Tile, class Epilogue = kernels::as_summed>
enqueued persistent(const kernels::product_operands& p, unsigned band, const Epilogue& epilogue = {}) {
  const kernels::whole_tiles schedule{kernels::order_of_tiles<Tile>(p, band), kernels::steps_of<Tile>(p)};
  const auto most = kernels::blocks_at_once<Tile, kernels::whole_tiles, Epilogue>();
  return kernels::planned_product<Tile>(p, schedule, kernels::even_blocks<Tile>(schedule.order.tiles(), most),
                                        epilogue);
}

constexpr unsigned row_by_row = 1, banded = 8;

}  // namespace

enqueued product_by(rung step, const workload& w) {
  const auto p = kernels::operands_of(w);
  switch (step) {
    case rung::ring:
      return tile_a_block<rung_tile<1, store_by::threads>>(p, row_by_row);
    case rung::persistent:
      return persistent<rung_tile<1, store_by::threads>>(p, row_by_row);
    case rung::cluster:
      return persistent<rung_tile<2, store_by::threads>>(p, row_by_row);
    case rung::tensor_map_store:
      if (!kernels::maps_target(p)) return persistent<rung_tile<2, store_by::threads>>(p, banded);
      return persistent<rung_tile<2, store_by::tensor_map>>(p, banded);
  }
  return {};
}

enqueued planned_bf16(const workload& w) { return kernels::planned_bf16_product(kernels::operands_of(w)); }

enqueued planned_fp8(const workload& w) {
  const auto p = operands_of(w, w.own_fp8);
  const scaled epilogue{w.own_fp8.scales.data()};
  if (!kernels::maps_target(p))
    return persistent<product_tile<e4m3_operand, 2, 1, 256, 4, 2, 1, store_by::threads>>(p, banded, epilogue);
  using wide = product_tile<e4m3_operand, 2, 1, 256, 4, 2>;
  using narrow = product_tile<e4m3_operand, 2, 1, 192, 5, 2, 1, store_by::tensor_map, 64, 1>;
  const kernels::product_extent extent{p.m, p.n, kernels::steps_of<wide>(p)};
  const auto processors = kernels::blocks_at_once<wide, kernels::whole_tiles, scaled>();
  const auto cycles = [&](unsigned columns) {
    return kernels::product_cycles({wide::rows, columns, wide::down, wide::across}, extent, processors);
  };
  return cycles(narrow::columns) < cycles(wide::columns) ? persistent<narrow>(p, banded, epilogue)
                                                         : persistent<wide>(p, banded, epilogue);
}

}  // namespace ridge::experiments::ch10_gemm_wgmma
