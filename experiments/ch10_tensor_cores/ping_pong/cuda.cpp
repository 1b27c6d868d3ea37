// SPDX-License-Identifier: Apache-2.0

#include <ridge/harness/experiment.hpp>
#include <ridge/kernels/library_product.hpp>

#include "ping_pong.hpp"

namespace ridge::experiments::ch10_ping_pong {
namespace {

template <enqueued Plan(const workload&)>
auto product(workload& w, setup&) {
  return kernels::product_body(w, [&] { return Plan(w); });
}

const needs hopper{.architecture = "sm_90a"};

}  // namespace

ladder<workload> cuda() {
  return {
      {.name = "cooperative",
       .is = role::baseline,
       .idea = "both consumers make one tile, and store it at the same time",
       .run = product<cooperative>,
       .needs = hopper,
       .arithmetic = arithmetic::bf16},
      {.name = "ping_pong",
       .idea = "each consumer makes tiles of its own: while one stores, the other multiplies",
       .run = product<ping_pong>,
       .needs = hopper,
       .arithmetic = arithmetic::bf16},
      {.name = "cublaslt",
       .is = role::comparator,
       .idea = "the fastest of 32 algorithms that the vendor's heuristic proposes",
       .run = kernels::fastest_library_body<workload, setup>,
       .needs = {.compute_capability = {8, 0}},
       .arithmetic = arithmetic::bf16},
  };
}

}  // namespace ridge::experiments::ch10_ping_pong
