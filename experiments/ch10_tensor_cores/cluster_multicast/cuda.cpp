// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <utility>

#include <ridge/gpu/check.hpp>
#include <ridge/harness/experiment.hpp>
#include <ridge/kernels/random_operands.hpp>
#include <ridge/vendor/planned_matmul.hpp>

#include "cluster_multicast.hpp"

namespace ridge::experiments::ch10_cluster_multicast {
namespace {

bool is_zero(const workload& w) { return w.c.empty() || w.k == 0; }

auto body_of(enqueued work) {
  return [work = std::move(work)](workload& w, call& c) {
    if (work) return work(c.queue());
    if (!w.c.empty())
      gpu::check(cudaMemsetAsync(w.c.data(), 0, w.c.size_bytes(), c.queue()), "cudaMemsetAsync of c");
  };
}

template <int Blocks>
auto by_clusters(workload& w, setup&) {
  return body_of(is_zero(w) ? enqueued{} : shared_by(Blocks, w));
}

auto on_tcgen05(workload& w, setup&) { return body_of(is_zero(w) ? enqueued{} : shared_by_eight(w)); }

auto cublaslt(workload& w, setup& s) {
  if (is_zero(w)) return body_of({});
  const auto plan = std::make_shared<vendor::planned_matmul>(
      vendor::product{.a = {w.a.data(), CUDA_R_16BF, w.m, w.k, w.pitch},
                      .b = {w.b.data(), CUDA_R_16BF, w.n, w.k, w.pitch, true},
                      .target = w.c.data(),
                      .pitch = w.n,
                      .target_type = CUDA_R_16BF},
      s.workspace<std::byte>(vendor::workspace_bytes).data(), 32);
  const auto a = s.workspace<bf16>(w.a.size()), b = s.workspace<bf16>(w.b.size());
  kernels::randomize(a, s.queue()), kernels::randomize(b, s.queue());
  plan->choose_fastest(s.queue(), a.data(), b.data());
  return body_of([plan](stream queue) { (*plan)(queue); });
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
       .run = cublaslt,
       .needs = {.compute_capability = {8, 0}},
       .arithmetic = arithmetic::bf16},
  };
}

}  // namespace ridge::experiments::ch10_cluster_multicast
