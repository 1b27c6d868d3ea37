// SPDX-License-Identifier: Apache-2.0

#include <ridge/harness/experiment.hpp>
#include <ridge/kernels/library_product.hpp>

#include "cluster_multicast.hpp"

namespace ridge::experiments::ch10_cluster_multicast {
namespace {

template <int Blocks>
auto by_clusters(workload& w, setup&) {
  return kernels::product_body(w, [&] { return shared_by(Blocks, w); });
}

auto on_tcgen05(workload& w, setup&) {
  return kernels::product_body(w, [&] { return shared_by_eight(w); });
}

const needs hopper{.architecture = "sm_90a"}, blackwell{.architecture = "sm_100a"};

}  // namespace

ladder<workload> cuda() {
  return {
      {.name = "cluster_1",
       .is = role::baseline,
       .idea = "every block copies both operands for itself",
       .run = by_clusters<1>,
       .needs = hopper,
       .arithmetic = arithmetic::bf16},
      {.name = "cluster_2",
       .idea = "two blocks share each copy of b",
       .run = by_clusters<2>,
       .needs = hopper,
       .arithmetic = arithmetic::bf16},
      {.name = "cluster_4",
       .idea = "four blocks share each copy of b",
       .run = by_clusters<4>,
       .needs = hopper,
       .arithmetic = arithmetic::bf16},
      {.name = "cluster_8",
       .idea = "eight blocks share each copy of b",
       .run = by_clusters<8>,
       .needs = hopper,
       .arithmetic = arithmetic::bf16},
      {.name = "tcgen05_cluster_8",
       .idea = "eight blocks with tcgen05, sums in tensor memory: on Hopper it is compiled and not run",
       .run = on_tcgen05,
       .needs = blackwell,
       .arithmetic = arithmetic::bf16},
      {.name = "cublaslt",
       .is = role::comparator,
       .idea = "the fastest of 32 algorithms that the vendor's heuristic proposes",
       .run = kernels::fastest_library_body<workload, setup>,
       .needs = {.compute_capability = {8, 0}},
       .arithmetic = arithmetic::bf16},
  };
}

}  // namespace ridge::experiments::ch10_cluster_multicast
