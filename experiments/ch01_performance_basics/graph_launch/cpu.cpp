// SPDX-License-Identifier: Apache-2.0
#include "graph_launch.hpp"

#include <memory>

#include <ridge/host/team.hpp>

#include "task_queue.hpp"
#include "vectors.hpp"

namespace ridge::experiments::ch01_graph_launch {
namespace {

// A body whose operations run on a worker: dispatch(workload, queue) pushes and waits on the caller's thread.
template <class Dispatch>
auto on_worker(Dispatch dispatch) {
  return [dispatch](workload&, setup&) {
    return [dispatch, queue = std::make_unique<task_queue>()](workload& w, call& c) {
      queue->open();
      c.team().run([&](int rank, int) {
        if (rank == 1) queue->serve();
        if (rank != 0) return;
        dispatch(w, *queue);
        queue->close();
      });
    };
  };
}

void each_waited_for(const workload& w, task_queue& queue) {
  for (std::size_t k = 0; k < chain_length; ++k) {
    queue.push({run_operation, &w, k});
    queue.drain();
  }
}

void all_then_wait(const workload& w, task_queue& queue) {
  for (std::size_t k = 0; k < chain_length; ++k) queue.push({run_operation, &w, k});
  queue.drain();
}

void replay(const workload& w, std::size_t operations) {
  for (std::size_t k = 0; k < operations; ++k) run_operation(w, k);
}

void recorded(const workload& w, task_queue& queue) {
  queue.push({replay, &w, chain_length});
  queue.drain();
}

void fused(const workload& w, task_queue& queue) {
  queue.push({[](const workload& chain, std::size_t) { run_fused(chain); }, &w, 0});
  queue.drain();
}

void inlined(workload& w, call&) { run_fused(w); }

// Every operation reads and writes all elements; a quarter of them read the addend too.
double unfused_traffic(const problem& p) { return p.real("elements") * chain_length * (8 + 4 * 0.25); }

}  // namespace

ladder<workload> cpu() {
  return {
      {.name = "eager",
       .is = role::baseline,
       .idea = "each operation is handed to a worker and waited for",
       .run = on_worker(each_waited_for),
       .needs = {.cores = 2},
       .traffic = unfused_traffic,
       .threads = 2},
      {.name = "asynchronous",
       .idea = "all operations are queued, the last one is waited for",
       .run = on_worker(all_then_wait),
       .needs = {.cores = 2},
       .traffic = unfused_traffic,
       .threads = 2},
      {.name = "graph",
       .idea = "the recorded list of operations is handed over once",
       .run = on_worker(recorded),
       .needs = {.cores = 2},
       .traffic = unfused_traffic,
       .threads = 2},
      {.name = "fused",
       .idea = "the worker runs all operations in one pass, in registers",
       .run = on_worker(fused),
       .needs = {.cores = 2},
       .threads = 2},
      {.name = "inlined", .idea = "the caller runs the pass itself: no hand-over", .run = inlined},
  };
}

}  // namespace ridge::experiments::ch01_graph_launch
