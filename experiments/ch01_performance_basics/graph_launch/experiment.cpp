// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include <ridge/harness/experiment.hpp>
#include <ridge/host/team.hpp>

#include "graph_launch.hpp"
#include "task_queue.hpp"

namespace ridge::experiments::ch01_graph_launch {
namespace {

float chain(const workload& w, std::size_t i) {
  float y = w.source[i];
  for (std::size_t k = 0; k < chain_length; k += 4) {
    y = y * w.parameters[k];
    y = y + w.addend[i];
    y = std::max(y, w.parameters[k + 2]);
    y = y - w.parameters[k + 3];
  }
  return y;
}

// Makes a body whose operations run on a worker; dispatch(workload, queue) pushes and waits on the caller's
// thread.
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
  queue.push({[](const workload& own, std::size_t) { run_fused(own); }, &w, 0});
  queue.drain();
}

void inlined(workload& w, call&) { run_fused(w); }

// Why so much more traffic takes hardly longer.
constexpr auto stays_cached =
    "the array stays in the nearest cache: handing operations over takes the time, not their bytes";

// Every operation reads and writes all elements; a quarter of them read the addend too.
double unfused_traffic(const problem& p) { return p.real("elements") * chain_length * (8 + 4 * 0.25); }

// Why gains over the baseline exceed ten times.
constexpr auto waking_dominates =
    "the baseline wakes a sleeping thread for every operation, and an operation takes less than a "
    "microsecond";

ladder<workload> cpu() {
  return {
      {.name = "eager",
       .is = role::baseline,
       .idea = "each operation is handed to a worker and waited for",
       .run = on_worker(each_waited_for),
       .needs = {.cores = 2},
       .traffic = unfused_traffic,
       .traffic_reason = stays_cached,
       .threads = 2},
      {.name = "asynchronous",
       .idea = "all operations are queued, the last one is waited for",
       .run = on_worker(all_then_wait),
       .needs = {.cores = 2},
       .traffic = unfused_traffic,
       .traffic_reason = stays_cached,
       .explanation = waking_dominates,
       .threads = 2},
      {.name = "graph",
       .idea = "the recorded list of operations is handed over once",
       .run = on_worker(recorded),
       .needs = {.cores = 2},
       .traffic = unfused_traffic,
       .traffic_reason = stays_cached,
       .explanation = waking_dominates,
       .threads = 2},
      {.name = "fused",
       .idea = "the worker runs all operations in one pass, in registers",
       .run = on_worker(fused),
       .needs = {.cores = 2},
       .explanation = waking_dominates,
       .threads = 2},
      {.name = "inlined",
       .idea = "the caller runs the pass itself: no hand-over",
       .run = inlined,
       .explanation = waking_dominates},
  };
}

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch01.graph_launch",
      .title = "Launch cost of a chain of small operations",
      .question = "What does launching 256 tiny dependent kernels cost?",
      .answers = {"performance_basics_optimized.py", "B11.4"},
      .tags = {"launch", "fusion"},
      .axes = {values("elements", {1 << 10, 1 << 14, 1 << 17, 1 << 20}, {0, 1, 1023, 1097})},
      .make =
          [](const problem& p, memory& m) {
            const auto n = p.count("elements");
            return workload{m.in<float>(n, normal{}), m.in<float>(n, normal{}),
                            m.in<float>(chain_length, uniform{0.5, 1.0}), m.out<float>(n)};
          },
      .work =
          [](const problem& p) {
            const auto n = p.count("elements");
            return work::streaming(reads<float>(2, n) + reads<float>(chain_length), writes<float>(n))
                .with_flop(chain_length * p.real("elements"))
                .with_items(chain_length);
          },
      .oracle =
          [](workload& w) {
            for (std::size_t i = 0; i < w.target.size(); ++i) w.target[i] = chain(w, i);
          },
      .within = exact(),
      .metrics = {time_per_call(), throughput("operations/s")},
      .cpu = cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch01_graph_launch
