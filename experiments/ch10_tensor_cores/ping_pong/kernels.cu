// SPDX-License-Identifier: Apache-2.0
#include <ridge/kernels/product_launch.cuh>

#include "ping_pong.hpp"

namespace ridge::experiments::ch10_ping_pong {
namespace {

using kernels::bf16_operand, kernels::consumers_take, kernels::product_tile, kernels::store_by;

constexpr unsigned banded = 8;

// Tiles of 128 x 128 either way: two consumers of 64 rows each, or of 128 rows in turns.
template <store_by Store>
using shared_tile = product_tile<bf16_operand, 2, 1, 128, 6, 2, 1, Store>;
template <store_by Store>
using own_tile = product_tile<bf16_operand, 2, 2, 128, 6, 2, 1, Store, 64, 2, consumers_take::turns>;

}  // namespace

enqueued cooperative(const workload& w) {
  return kernels::product_by_best_store<shared_tile>(kernels::operands_of(w), banded);
}
enqueued ping_pong(const workload& w) {
  return kernels::product_by_best_store<own_tile>(kernels::operands_of(w), banded);
}

}  // namespace ridge::experiments::ch10_ping_pong
