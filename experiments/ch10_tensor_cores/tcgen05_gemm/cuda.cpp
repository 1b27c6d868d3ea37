// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/experiment.hpp>
#include <ridge/kernels/product_operands.hpp>

#include "tcgen05_gemm.hpp"

namespace ridge::experiments::ch10_tcgen05_gemm {
namespace {

template <enqueued Plan(const workload&)>
auto planned(workload& w, setup&) {
  return kernels::product_body(w, [&] { return Plan(w); });
}

const needs blackwell{.architecture = "sm_100a"};

}  // namespace

ladder<workload> cuda() {
  return {
      {.name = "one_block",
       .is = role::baseline,
       .idea = "each block makes 128 x 256 sums in its tensor memory",
       .run = planned<one_block>,
       .needs = blackwell,
       .arithmetic = arithmetic::bf16},
      {.name = "block_pair",
       .idea = "two blocks make one product of 256 x 256, and each holds half of b",
       .run = planned<block_pair>,
       .needs = blackwell,
       .arithmetic = arithmetic::bf16},
  };
}

}  // namespace ridge::experiments::ch10_tcgen05_gemm
