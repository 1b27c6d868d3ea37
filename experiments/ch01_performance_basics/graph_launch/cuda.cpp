// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include <ridge/gpu/graph.hpp>

#include "graph_launch.hpp"
#include "kernels.hpp"

namespace ridge::experiments::ch01_graph_launch {
namespace {

chain_arrays arrays_of(const workload& w) {
  return {w.source.data(), w.addend.data(), w.parameters.data(), w.target.data(), w.target.size()};
}

void stream(workload& w, call& c) { launch_operations(arrays_of(w), c.queue()); }

// A body that replays what `launch` puts on a stream, recorded once.
auto recorded(void (*launch)(const chain_arrays&, cudaStream_t)) {
  return [launch](workload& w, setup& s) {
    gpu::graph chain([&](cudaStream_t stream) { launch(arrays_of(w), stream); });
    chain.upload(s.queue());
    return [chain = std::move(chain)](workload&, call& c) { chain.launch(c.queue()); };
  };
}

void one_kernel(workload& w, call& c) { launch_whole_chain(arrays_of(w), c.queue()); }

// Every operation reads and writes all elements; a quarter of them read the addend too.
double unfused_traffic(const problem& p) { return p.real("elements") * chain_length * (8 + 4 * 0.25); }

}  // namespace

ladder<workload> cuda() {
  return {
      {.name = "stream",
       .is = role::baseline,
       .idea = "each operation is a launch of its own; the stream keeps their order",
       .run = stream,
       .traffic = unfused_traffic},
      {.name = "graph",
       .idea = "the launches are recorded once and handed over as one",
       .run = recorded(launch_operations),
       .traffic = unfused_traffic},
      {.name = "graph_pdl",
       .idea = "the next operation's blocks are in place when the one before ends, and wait for it there",
       .run = recorded(launch_dependent_operations),
       .needs = {.compute_capability = {9, 0}},
       .traffic = unfused_traffic},
      {.name = "one_kernel", .idea = "all operations in one pass, in registers", .run = one_kernel},
  };
}

}  // namespace ridge::experiments::ch01_graph_launch
