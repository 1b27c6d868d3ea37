// SPDX-License-Identifier: Apache-2.0
#include <ridge/kernels/product_launch.cuh>

#include "stream_k.hpp"

namespace ridge::experiments::ch10_stream_k {
namespace {

using kernels::bf16_operand, kernels::product_tile, kernels::store_by;

constexpr unsigned banded = 8;

template <store_by Store>
using wide_tile = product_tile<bf16_operand, 2, 1, 256, 4, 2, 1, Store>;

template <store_by Store>
enqueued split(const kernels::product_operands& p, const split_workspace& own, bool all) {
  using tile = wide_tile<Store>;
  kernels::equal_runs schedule{kernels::order_of_tiles<tile>(p, banded), kernels::steps_of<tile>(p)};
  const auto blocks = kernels::blocks_at_once<tile, kernels::equal_runs>(), teams = blocks / tile::cluster;
  const auto tiles = schedule.order.tiles();
  schedule.split = all ? tiles : tiles % teams;
  return kernels::planned_product<tile>(p, schedule, blocks, kernels::as_summed{},
                                        {reinterpret_cast<float4*>(own.sums.data()), own.ready.data()});
}

enqueued split(const workload& w, const split_workspace& own, bool all) {
  const auto p = kernels::operands_of(w);
  return kernels::maps_target(p) ? split<store_by::tensor_map>(p, own, all)
                                 : split<store_by::threads>(p, own, all);
}

}  // namespace

enqueued whole_tiles(const workload& w) {
  return kernels::product_by_best_store<wide_tile>(kernels::operands_of(w), banded);
}

enqueued odd_tiles(const workload& w) { return kernels::planned_bf16_product(kernels::operands_of(w)); }

enqueued split_all(const workload& w, const split_workspace& own) { return split(w, own, true); }
enqueued split_remainder(const workload& w, const split_workspace& own) { return split(w, own, false); }

std::size_t partial_floats() {
  using tile = wide_tile<store_by::threads>;
  return std::size_t{kernels::blocks_at_once<tile, kernels::equal_runs>()} * tile::rows * tile::columns;
}

std::size_t partial_words() {
  using tile = wide_tile<store_by::threads>;
  return std::size_t{kernels::blocks_at_once<tile, kernels::equal_runs>()} * tile::consumers * 4;
}

}  // namespace ridge::experiments::ch10_stream_k
