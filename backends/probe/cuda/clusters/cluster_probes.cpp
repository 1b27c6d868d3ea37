// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "clusters/cluster_kernels.hpp"
#include "probe_lists.hpp"
#include "timing/instruction_bench.hpp"
#include "timing/issue_limits.hpp"

namespace ridge::backends::probe_cuda {
namespace {

using probe::depth, probe::request;
using rows = std::vector<model::ceiling>;

struct cluster_size {
  int blocks, at_once;  // blocks per cluster, clusters that run at once
};

std::vector<cluster_size> sizes_that_fit() {
  std::vector<cluster_size> found;
  for (const int blocks : {2, 4, 8, 16})
    if (const int at_once = clusters_at_once(blocks); at_once > 0) found.push_back({blocks, at_once});
  return found;
}

std::string occupancy(const std::vector<cluster_size>& sizes, int processors) {
  std::string all;
  for (const auto& [blocks, at_once] : sizes)
    all += fmt::format("{}{} clusters of {}", all.empty() ? "at once: " : ", ", at_once, blocks);
  return all + fmt::format(" blocks of 1024 threads on {} multiprocessors", processors);
}

rows cluster_reading(instruction_bench& bench, const request& request) {
  const auto sizes = sizes_that_fit();
  if (sizes.empty()) return {};
  const auto enqueue = [&](const cluster_size& size) {
    return
        [&bench, size](int rounds) { return read_next_block(bench.call(rounds), size.blocks, size.at_once); };
  };
  model::ceiling row{.id = "cuda.dsmem.read",
                     .description = "shared memory of the cluster's next block, 16 bytes a lane",
                     .unit = "B/s",
                     .note = occupancy(sizes, bench.gpu.processors())};
  for (const auto& size : sizes)
    row.series.push_back({std::to_string(size.blocks) + " blocks",
                          burst_rate({}, request, enqueue(size), bench.timed(brief)).value});
  const auto best = std::ranges::max_element(row.series, {}, &model::ceiling_point::value);
  row.variant = "clusters of " + best->place;
  const auto& size = sizes[static_cast<std::size_t>(best - row.series.begin())];
  row = burst_rate(std::move(row), request, enqueue(size), bench.timed());
  // Blocks read from other blocks' shared memory, which delivers no more than this.
  limit_issue(row, "shared.bytes", bench.gpu.properties());
  return {std::move(row)};
}

rows following(instruction_bench& bench, const request& request) {
  const auto measured = [&](int cluster, bool own) {
    return burst_rate(
        {.id = "cuda.dsmem.latency",
         .description = "a dependent load from another block's shared memory",
         .variant = "clusters of 2 blocks"},
        request,
        [&bench, cluster, own](int rounds) { return follow_in_cluster(bench.call(rounds), cluster, own); },
        bench.timed(brief));
  };
  auto row = measured(2, false);
  row.series = {{"own", measured(2, true).value}, {"2 blocks", row.value}};
  for (const int cluster : {4, 8})
    row.series.push_back({std::to_string(cluster) + " blocks", measured(cluster, false).value});
  return {as_latency(std::move(row))};
}

}  // namespace

void add_cluster_probes(probe_list& list, gpu_bench& device_bench) {
  if (device_bench.properties().major < 9) return;
  const auto bench = std::make_shared<instruction_bench>(device_bench);
  list.push_back({"cuda.dsmem.latency", "latency within a cluster", "bounds exchanges between blocks",
                  depth::quick, [bench](const request& request) { return following(*bench, request); }});
  list.push_back({"cuda.dsmem.read", "reads within a cluster", "bounds tiles that blocks share",
                  depth::standard,
                  [bench](const request& request) { return cluster_reading(*bench, request); }});
}

}  // namespace ridge::backends::probe_cuda
