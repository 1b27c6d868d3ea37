// SPDX-License-Identifier: Apache-2.0
#include <ridge/kernels/cheapest_product.cuh>

#include "gemm_wgmma.hpp"
#include "operands.hpp"

namespace ridge::experiments::ch10_gemm_wgmma {
namespace {

using kernels::bf16_operand, kernels::e4m3_operand, kernels::product_tile, kernels::store_by;

// Two warpgroups make 128 x 256 sums; a ring of four stages of 48 KiB.
template <unsigned Down, store_by Store>
using rung_tile = product_tile<bf16_operand, 2, 1, 256, 4, Down, 1, Store>;

// 128 x `Columns` sums in e4m3.
template <unsigned Columns, unsigned Stages, unsigned Down, unsigned Boxes>
using fp8_tile = product_tile<e4m3_operand, 2, 1, Columns, Stages, Down, 1, store_by::tensor_map, 64, Boxes>;

// One block a tile.
template <class Tile>
enqueued tile_a_block(const kernels::product_operands& p, unsigned band) {
  const kernels::whole_tiles schedule{kernels::order_of_tiles<Tile>(p, band), kernels::steps_of<Tile>(p)};
  return kernels::planned_product<Tile>(p, schedule, schedule.order.tiles());
}

constexpr unsigned row_by_row = 1, banded = 8;

}  // namespace

enqueued product_by(rung step, const workload& w) {
  const auto p = kernels::operands_of(w);
  switch (step) {
    case rung::ring:
      return tile_a_block<rung_tile<1, store_by::threads>>(p, row_by_row);
    case rung::persistent:
      return kernels::resident_product<rung_tile<1, store_by::threads>>(p, row_by_row);
    case rung::cluster:
      return kernels::resident_product<rung_tile<2, store_by::threads>>(p, row_by_row);
    case rung::tensor_map_store:
      if (!kernels::maps_target(p))
        return kernels::resident_product<rung_tile<2, store_by::threads>>(p, banded);
      return kernels::resident_product<rung_tile<2, store_by::tensor_map>>(p, banded);
  }
  return {};
}

enqueued planned_bf16(const workload& w) { return kernels::planned_bf16_product(kernels::operands_of(w)); }

enqueued planned_fp8(const workload& w) {
  const auto p = operands_of(w, w.own_fp8);
  const scaled epilogue{w.own_fp8.scales.data()};
  if (!kernels::maps_target(p))
    return kernels::resident_product<product_tile<e4m3_operand, 2, 1, 256, 4, 2, 1, store_by::threads>>(
        p, banded, epilogue);
  return kernels::cheapest_product<fp8_tile<256, 4, 2, 2>, fp8_tile<256, 4, 1, 2>, fp8_tile<192, 5, 2, 1>,
                                   fp8_tile<192, 5, 1, 1>, fp8_tile<128, 6, 1, 2>>(p, epilogue);
}

}  // namespace ridge::experiments::ch10_gemm_wgmma
