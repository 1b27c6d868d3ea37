// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>

#include "clusters/cluster_kernels.hpp"
#include "probe_lists.hpp"
#include "synchronization/barrier_kernels.hpp"
#include "timing/instruction_bench.hpp"

namespace ridge::backends::probe_cuda {
namespace {

using probe::depth, probe::request;
using rows = std::vector<model::ceiling>;

// The row of the first size, with the latencies of all sizes in its series.
model::ceiling over_sizes(instruction_bench& bench, const request& request, model::ceiling row,
                          const std::vector<int>& sizes, std::string_view title,
                          double (*enqueue)(const kernel_call&, int)) {
  std::vector<model::ceiling_point> series;
  for (const int size : sizes) {
    const bool first = series.empty();
    auto one = burst_rate(
        first ? row : model::ceiling{}, request,
        [&](int rounds) { return enqueue(bench.call(rounds), size); }, bench.timed(brief));
    series.push_back({std::to_string(size) + std::string(title), one.value});
    if (first) row = std::move(one);
  }
  row.series = std::move(series);
  return as_latency(std::move(row));
}

rows in_block(instruction_bench& bench, const request& request) {
  const std::vector<int> sizes{256, 32, 64, 128, 512, 1024};
  rows found{over_sizes(
      bench, request,
      {.id = "cuda.sync.block", .description = "__syncthreads() of 256 threads", .variant = "bar.sync"},
      sizes, " threads", meet_in_block)};
  bench.log.clear();
  (void)meet_at_mbarrier(bench.call(1), 32);
  if (bench.log.written())
    found.push_back(over_sizes(bench, request,
                               {.id = "cuda.sync.mbarrier",
                                .description = "a barrier in shared memory of 256 threads",
                                .variant = "mbarrier"},
                               sizes, " threads", meet_at_mbarrier));
  return found;
}

rows in_cluster(instruction_bench& bench, const request& request) {
  return {over_sizes(bench, request,
                     {.id = "cuda.sync.cluster",
                      .description = "a barrier of a cluster of two blocks of 256 threads",
                      .variant = "barrier.cluster"},
                     {2, 4, 8}, " blocks", meet_in_cluster)};
}

}  // namespace

void add_barrier_probes(probe_list& list, gpu_bench& device_bench) {
  const auto bench = std::make_shared<instruction_bench>(device_bench);
  list.push_back({"cuda.sync", "barriers within a block", "what a step of a tiled kernel costs at least",
                  depth::standard, [bench](const request& request) { return in_block(*bench, request); }});
  if (device_bench.properties().major >= 9)
    list.push_back({"cuda.sync.cluster", "barriers of a cluster",
                    "what an exchange over DSMEM costs at least", depth::standard,
                    [bench](const request& request) { return in_cluster(*bench, request); }});
}

}  // namespace ridge::backends::probe_cuda
