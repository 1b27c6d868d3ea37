// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include <ridge/gpu/check.hpp>

#include "probe_lists.hpp"
#include "synchronization/atomic_kernels.hpp"
#include "timing/instruction_bench.hpp"

namespace ridge::backends::probe_cuda {
namespace {

using probe::depth, probe::request;
using rows = std::vector<model::ceiling>;

// The target of the operations, behind the results that the threads write.
void* target_of(instruction_bench& bench) { return bench.gpu.target() + array_floats / 2; }

double rate(instruction_bench& bench, const request& request, const std::function<double(int)>& enqueue) {
  return burst_rate({.unit = "op/s"}, request, enqueue, bench.timed(brief)).value;
}

// The rates of all patterns without the old values, for some types also with them. The row has the best
// pattern, measured longer.
rows in_global_memory(instruction_bench& bench, atomic_op op, const request& request) {
  gpu::check(cudaMemset(target_of(bench), 0, target_bytes), "cudaMemset of the probe's counters");
  const auto enqueue = [&](const address_pattern& pattern, bool returning) {
    return [&bench, op, &pattern, returning](int rounds) {
      return update_atomically(bench.call(rounds), op, target_of(bench), pattern, returning);
    };
  };
  model::ceiling row{.id = "cuda.atomics.global." + std::string(name(op)),
                     .description = "atomic updates of " + std::string(name(op)) + " in device memory",
                     .unit = "op/s"};
  for (const auto& pattern : address_patterns)
    row.series.push_back({std::string(pattern.name), rate(bench, request, enqueue(pattern, false))});
  const auto best = std::ranges::max_element(row.series, {}, &model::ceiling_point::value);
  const auto& pattern = address_patterns[static_cast<std::size_t>(best - row.series.begin())];
  row.variant = pattern.name;
  if (op == atomic_op::u32 || op == atomic_op::f32)
    for (const auto& each : address_patterns)
      row.series.push_back(
          {std::string(each.name) + ", returning", rate(bench, request, enqueue(each, true))});
  return {burst_rate(std::move(row), request, enqueue(pattern, false), bench.timed())};
}

rows in_shared_memory(instruction_bench& bench, const request& request) {
  rows found;
  for (const bool same : {true, false})
    found.push_back(burst_rate(
        {.id = same ? "cuda.atomics.shared.same" : "cuda.atomics.shared.spread",
         .description = same ? "additions to one word of shared memory"
                             : "additions in shared memory, each lane in its bank",
         .unit = "op/s",
         .variant = "red.shared.add.u32"},
        request, [&](int rounds) { return update_shared(bench.call(rounds), same); }, bench.timed()));
  return found;
}

rows dependent_atomics(instruction_bench& bench, const request& request) {
  return {as_latency(burst_rate(
      {.id = "cuda.atomics.latency",
       .description = "an addition in device memory that gives the old value",
       .variant = "atom.global.add.u32, one thread"},
      request, [&](int rounds) { return update_one_after_another(bench.call(rounds), target_of(bench)); },
      bench.timed()))};
}

}  // namespace

void add_atomic_probes(probe_list& list, gpu_bench& device_bench) {
  const auto bench = std::make_shared<instruction_bench>(device_bench);
  for (const auto op : atomic_ops) {
    if (op == atomic_op::bf16x2 && device_bench.properties().major < 9) continue;
    list.push_back({"cuda.atomics.global." + std::string(name(op)), "atomics on " + std::string(name(op)),
                    "bounds histograms and scattered sums", depth::standard,
                    [bench, op](const request& request) { return in_global_memory(*bench, op, request); }});
  }
  list.push_back({"cuda.atomics.shared", "atomics in shared memory", "bounds counts within a block",
                  depth::standard,
                  [bench](const request& request) { return in_shared_memory(*bench, request); }});
  list.push_back({"cuda.atomics.latency", "latency of an atomic", "bounds locks and queues", depth::quick,
                  [bench](const request& request) { return dependent_atomics(*bench, request); }});
}

}  // namespace ridge::backends::probe_cuda
