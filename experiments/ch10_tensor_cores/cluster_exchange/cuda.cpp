// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <ridge/base/error.hpp>
#include <ridge/gpu/check.hpp>
#include <ridge/harness/experiment.hpp>

#include "cluster_exchange.hpp"

namespace ridge::experiments::ch10_cluster_exchange {
namespace {

void require_one_cluster(const workload& w) {
  if (w.blocks <= most_blocks) return;
  throw unavailable(fmt::format("a cluster of {} blocks", w.blocks),
                    fmt::format("a cluster has at most {} blocks", most_blocks));
}

template <void (*Launch)(const workload&, const global_places&, stream)>
auto through_memory(workload& w, setup& s) {
  require_one_cluster(w);
  const auto words = s.workspace<std::uint32_t>(2 * most_blocks + 1);
  return [words](workload& own, call& c) {
    gpu::check(cudaMemsetAsync(words.data(), 0, words.size_bytes(), c.queue()),
               "cudaMemsetAsync of the count");
    Launch(own, {words.data(), words.data() + 2 * most_blocks}, c.queue());
  };
}

template <void (*Launch)(const workload&, stream)>
auto in_cluster(workload& w, setup&) {
  require_one_cluster(w);
  return [](workload& own, call& c) { Launch(own, c.queue()); };
}

}  // namespace

ladder<workload> cuda() {
  return {
      {.name = "global_atomics",
       .is = role::baseline,
       .idea = "numbers in global memory, and an atomic count of arrivals that everybody polls",
       .run = through_memory<launch_global_atomics>,
       .needs = {.compute_capability = {8, 0}}},
      {.name = "cooperative_grid",
       .idea = "numbers in global memory, and the barrier of a cooperative launch",
       .run = through_memory<launch_cooperative_grid>,
       .needs = {.compute_capability = {8, 0}}},
      {.name = "shared_cluster",
       .idea = "the cluster's barrier in hardware, and loads from the peers' shared memory",
       .run = in_cluster<launch_shared_cluster>,
       .needs = {.compute_capability = {9, 0}}},
      {.name = "async_stores",
       .idea = "stores that complete the receiver's barrier: one way through the cluster instead of two",
       .run = in_cluster<launch_async_stores>,
       .needs = {.compute_capability = {9, 0}}},
  };
}

}  // namespace ridge::experiments::ch10_cluster_exchange
