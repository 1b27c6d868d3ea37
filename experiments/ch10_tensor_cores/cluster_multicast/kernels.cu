// SPDX-License-Identifier: Apache-2.0
#include <ridge/base/error.hpp>
#include <ridge/kernels/product_launch.cuh>

#include "cluster_multicast.hpp"

namespace ridge::experiments::ch10_cluster_multicast {
namespace {

using kernels::bf16_operand, kernels::product_tile, kernels::store_by;

constexpr unsigned banded = 8;

// Tiles of 128 x 128, whose stages of 32 KiB leave room for up to six. Threads store their own sums, so that
// any c will do and the copies alone differ.
template <unsigned Stages, unsigned Blocks>
using tile = product_tile<bf16_operand, 2, 1, 128, Stages, Blocks, 1, store_by::threads>;

template <unsigned Stages>
enqueued with_stages(int blocks, const kernels::product_operands& p) {
  switch (blocks) {
    case 1:
      return kernels::resident_product<tile<Stages, 1>>(p, banded);
    case 2:
      return kernels::resident_product<tile<Stages, 2>>(p, banded);
    case 4:
      return kernels::resident_product<tile<Stages, 4>>(p, banded);
    default:
      return kernels::resident_product<tile<Stages, 8>>(p, banded);
  }
}

}  // namespace

enqueued shared_by(int blocks, const workload& w) {
  const auto p = kernels::operands_of(w);
  switch (w.stages) {
    case 2:
      return with_stages<2>(blocks, p);
    case 3:
      return with_stages<3>(blocks, p);
    case 4:
      return with_stages<4>(blocks, p);
    case 6:
      return with_stages<6>(blocks, p);
    default:
      throw unavailable("a ring of this many stages", "choose 2, 3, 4 or 6");
  }
}

}  // namespace ridge::experiments::ch10_cluster_multicast
