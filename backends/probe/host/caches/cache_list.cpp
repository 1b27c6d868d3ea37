// SPDX-License-Identifier: Apache-2.0
#include <ridge/base/byte_units.hpp>
#include <ridge/base/error.hpp>

#include "caches/core_pair_probe.hpp"
#include "caches/latency_probe.hpp"
#include "caches/level_probe.hpp"
#include "memory/numa_probe.hpp"
#include "probe_lists.hpp"

namespace ridge::backends::probe_host {
namespace {

using probe::depth, probe::peak_probe, probe::request;

peak_probe in_level(host_bench& bench, std::string_view title, std::string_view level,
                    std::string_view means) {
  const auto words = std::string(title), cache = std::string(level);
  return {"cpu." + words + "." + cache, "cache " + cache + ", " + words, std::string(means), depth::quick,
          [&bench, title, level](const request& r) {
            rows found;
            bench.each(r,
                       [&](sampler& s) { found.push_back(probe_level(s, bench.machine(), title, level)); });
            return found;
          }};
}

template <class Measure>
peak_probe by_one(host_bench& bench, std::string id, std::string title, std::string means, depth depth,
                  Measure measure) {
  return {std::move(id), std::move(title), std::move(means), depth,
          [&bench, measure](const request& request) { return measure(bench.one(request), request); }};
}

void add_latencies(probe_list& list, host_bench& bench) {
  list.push_back(by_one(bench, "cpu.latency", "latency of loads", "bounds lists, trees and every lookup",
                        depth::quick, [&bench](sampler& s, const request& request) {
                          return probe_latency(s, bench.machine(), request.depth >= depth::standard);
                        }));
  list.push_back(by_one(bench, "cpu.parallel_loads", "loads in flight",
                        "what lookups reach that do not wait for each other", depth::standard,
                        [&bench](sampler& s, const request&) {
                          return rows{probe_parallel_loads(s, chase_bytes(bench.machine()))};
                        }));
  list.push_back(by_one(bench, "cpu.tlb", "finding pages", "what scattered access pays on small pages",
                        depth::standard, [](sampler& s, const request&) { return rows{probe_tlb(s)}; }));
  list.push_back(by_one(bench, "cpu.page_fault", "first touch of memory",
                        "what fresh memory costs before it is used", depth::quick,
                        [](sampler& s, const request&) { return probe_page_faults(s); }));
  list.push_back({"cpu.latency_loaded", "latency under load", "what a lookup waits while others stream",
                  depth::deep, [&bench](const request& request) {
                    return rows{probe_loaded_latency(bench.all(request), chase_bytes(bench.machine()))};
                  }});
}

void add_sweeps(probe_list& list, host_bench& bench) {
  list.push_back({"cpu.sweep.read", "reading over working sets", "shows the levels as they are, not as told",
                  depth::standard, [&bench](const request& request) {
                    rows found;
                    const auto most =
                        request.depth == depth::deep ? 8 * chase_bytes(bench.machine()) : 256 * mib;
                    bench.each(request, [&](sampler& s) { found.push_back(probe_read_sweep(s, most)); });
                    return found;
                  }});
  list.push_back(by_one(
      bench, "cpu.sweep.latency", "latency over working sets", "shows the levels as they are, not as told",
      depth::standard, [&bench](sampler& s, const request& request) {
        const auto most = request.depth == depth::deep ? 8 * chase_bytes(bench.machine()) : 256 * mib;
        return rows{probe_latency_sweep(s, most)};
      }));
}

}  // namespace

void add_cache_probes(probe_list& list, host_bench& bench) {
  for (const std::string_view level : {"l1", "l2", "l3"}) {
    list.push_back(in_level(bench, "read", level, "bounds code whose data stays in this cache"));
    list.push_back(in_level(bench, "write", level, "bounds filling what stays in this cache"));
    list.push_back(in_level(bench, "copy", level, "bounds copies that stay in this cache"));
    list.push_back(in_level(bench, "triad", level, "bounds vector code that stays in this cache"));
  }
  add_latencies(list, bench);
  add_sweeps(list, bench);
  list.push_back(
      {"cpu.core_to_core", "from core to core", "bounds locks, queues and barriers", depth::standard,
       [&bench](const request& request) { return probe_core_pairs(request.clock, bench.machine()); }});
  list.push_back({"cpu.numa", "memory nodes", "what memory of another node costs", depth::standard,
                  [&bench](const request& request) { return probe_nodes(request.clock, bench.machine()); }});
}

}  // namespace ridge::backends::probe_host
