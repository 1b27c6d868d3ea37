// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include <ridge/harness/experiment.hpp>
#include <ridge/kernels/library_product.hpp>

#include "stream_k.hpp"

namespace ridge::experiments::ch10_stream_k {
namespace {

template <enqueued Plan(const workload&)>
auto whole(workload& w, setup&) {
  return kernels::product_body(w, [&] { return Plan(w); });
}

template <enqueued Plan(const workload&, const split_workspace&)>
auto split(workload& w, setup& s) {
  return kernels::product_body(w, [&] {
    return Plan(w, {s.workspace<float>(partial_floats()), s.workspace<std::uint32_t>(partial_words())});
  });
}

const needs hopper{.architecture = "sm_90a"};

}  // namespace

ladder<workload> cuda() {
  return {
      {.name = "whole_tiles",
       .is = role::baseline,
       .idea = "each block makes whole tiles of 128 x 256; in the last round some have none",
       .run = whole<whole_tiles>,
       .needs = hopper,
       .arithmetic = arithmetic::bf16},
      {.name = "stream_k",
       .idea =
           "the steps of all tiles in equal runs: a run that begins inside a tile leaves its sums to another",
       .run = split<split_all>,
       .needs = hopper,
       .arithmetic = arithmetic::bf16},
      {.name = "stream_k_remainder",
       .idea = "only the tiles of the last, incomplete round are cut",
       .run = split<split_remainder>,
       .needs = hopper,
       .arithmetic = arithmetic::bf16},
      {.name = "odd_tiles",
       .idea = "whole tiles of the shape by which the last round is fullest",
       .run = whole<odd_tiles>,
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

}  // namespace ridge::experiments::ch10_stream_k
