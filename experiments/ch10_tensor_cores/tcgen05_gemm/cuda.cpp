// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include <ridge/gpu/check.hpp>
#include <ridge/harness/experiment.hpp>

#include "tcgen05_gemm.hpp"

namespace ridge::experiments::ch10_tcgen05_gemm {
namespace {

template <enqueued Plan(const workload&)>
auto planned(workload& w, setup&) {
  return [work = w.c.empty() || w.k == 0 ? enqueued{} : Plan(w)](workload& v, call& c) {
    if (work) return work(c.queue());
    if (!v.c.empty())
      gpu::check(cudaMemsetAsync(v.c.data(), 0, v.c.size_bytes(), c.queue()), "cudaMemsetAsync of c");
  };
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
