// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include "memory/memory_probe.hpp"
#include "probe_lists.hpp"

namespace ridge::backends::probe_host {
namespace {

using probe::depth, probe::peak_probe, probe::request;
using array_probe = rows (*)(sampler&, const probe_arrays&);

peak_probe over_memory(host_bench& bench, std::string id, std::string title, std::string means, depth depth,
                       array_probe measure) {
  return {std::move(id), std::move(title), std::move(means), depth,
          [&bench, measure](const request& request) {
            rows found;
            bench.each(request, [&](sampler& s) {
              for (auto& row : measure(s, bench.arrays(request, s))) found.push_back(std::move(row));
            });
            return found;
          }};
}

// Reads with 1, 2, 4 ... threads up to all, which shows where more threads gain nothing.
rows read_by_threads(host_bench& bench, const request& request) {
  const int most = bench.all(request).threads();
  model::ceiling best;
  std::vector<model::ceiling_point> series;
  for (int threads = 1; threads > 0; threads = threads == most ? 0 : std::min(2 * threads, most)) {
    sampler some(request.clock, threads);
    auto row = probe_read(some, bench.arrays(request, bench.all(request))).front();
    series.push_back({std::to_string(threads), row.value});
    row.disturbed |= best.disturbed;
    if (row.value > best.value) best = std::move(row);
  }
  best.id = "cpu.threads.read", best.description = "reading memory by more and more threads";
  best.series = std::move(series);
  return {best};
}

}  // namespace

void add_memory_probes(probe_list& list, host_bench& bench) {
  list.push_back(over_memory(bench, "cpu.triad", "memory, triad",
                             "bounds code that streams two arrays into a third", depth::essential,
                             probe_triad));
  list.push_back(over_memory(bench, "cpu.copy", "memory, copy",
                             "bounds memcpy and everything that moves data once", depth::essential,
                             probe_copy));
  list.push_back(over_memory(bench, "cpu.read", "memory, read",
                             "bounds scans, sums and products with a vector", depth::essential, probe_read));
  list.push_back(over_memory(bench, "cpu.write", "memory, write", "bounds filling and zeroing", depth::quick,
                             probe_write));
  list.push_back(over_memory(bench, "cpu.move", "memory, library copies",
                             "what a call of memcpy reaches beside the best loop", depth::standard,
                             probe_move));
  list.push_back({"cpu.threads.read", "memory, read by threads",
                  "how many threads fill the memory's pipeline", depth::standard,
                  [&bench](const request& request) { return read_by_threads(bench, request); }});
  list.push_back(over_memory(bench, "cpu.mix", "memory, reads mixed with writes",
                             "memory turns between reading and writing, which costs", depth::deep,
                             probe_mixes));
}

}  // namespace ridge::backends::probe_host
