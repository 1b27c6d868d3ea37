// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include <ridge/gpu/graph.hpp>
#include <ridge/harness/experiment.hpp>

#include "graph_launch.hpp"

namespace ridge::experiments::ch01_graph_launch {
namespace {

// Makes a body that replays what `launch` puts on a stream, recorded once.
auto recorded(void (*launch)(const workload&, stream)) {
  return [launch](workload& w, setup& s) {
    gpu::graph chain([&](cudaStream_t capture) { launch(w, stream(capture)); });
    chain.upload(s.queue());
    return [chain = std::move(chain)](workload&, call& c) { chain.launch(c.queue()); };
  };
}

// Why so much more traffic takes hardly longer.
constexpr auto stays_cached = "the array stays in the L2 cache: launches take the time, not their bytes";

// Every operation reads and writes all elements; a quarter of them read the addend too.
double unfused_traffic(const problem& p) { return p.real("elements") * chain_length * (8 + 4 * 0.25); }

}  // namespace

ladder<workload> cuda() {
  return {
      {.name = "stream",
       .is = role::baseline,
       .idea = "each operation is a launch of its own; the stream keeps their order",
       .run = enqueues(launch_operations),
       .traffic = unfused_traffic,
       .traffic_reason = stays_cached},
      {.name = "graph",
       .idea = "the launches are recorded once and handed over as one",
       .run = recorded(launch_operations),
       .traffic = unfused_traffic,
       .traffic_reason = stays_cached},
      {.name = "graph_pdl",
       .idea = "the next operation's blocks are in place when the one before ends, and wait for it there",
       .run = recorded(launch_dependent_operations),
       .needs = {.compute_capability = {9, 0}},
       .traffic = unfused_traffic,
       .traffic_reason = stays_cached},
      {.name = "one_kernel",
       .idea = "all operations in one pass, in registers",
       .run = enqueues(launch_whole_chain),
       .explanation = "a launch costs more than an operation: one launch instead of the whole chain"},
  };
}

}  // namespace ridge::experiments::ch01_graph_launch
