// SPDX-License-Identifier: Apache-2.0
#include <cstddef>

#include <ridge/harness/experiment.hpp>
#include <ridge/kernels/library_product.hpp>

#include "ping_pong.hpp"

namespace ridge::experiments::ch10_ping_pong {
namespace {

// A body that enqueues what `plan` makes, or zeros where there are no terms.
template <class Plan>
auto body_of(const workload& w, const Plan& plan) {
  return [work = kernels::product_or_zeros(kernels::operands_of(w), plan)](workload&, call& c) {
    work(c.queue());
  };
}

template <enqueued Plan(const workload&)>
auto product(workload& w, setup&) {
  return body_of(w, [&] { return Plan(w); });
}

auto cublaslt(workload& w, setup& s) {
  return body_of(w, [&]() -> enqueued {
    return kernels::fastest_library_product(
        kernels::library_product(kernels::operands_of(w)),
        kernels::library_memory<bf16>{s.workspace<std::byte>(vendor::workspace_bytes),
                                      s.workspace<bf16>(w.a.size()), s.workspace<bf16>(w.b.size())},
        s.queue());
  });
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
       .run = cublaslt,
       .needs = {.compute_capability = {8, 0}},
       .arithmetic = arithmetic::bf16},
  };
}

}  // namespace ridge::experiments::ch10_ping_pong
