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

peak_probe in_level(host_bench& on, std::string_view what, std::string_view level, std::string_view means) {
  const auto words = std::string(what), cache = std::string(level);
  return {"cpu." + words + "." + cache, "cache " + cache + ", " + words, std::string(means), depth::quick,
          [&on, what, level](const request& r) {
            rows found;
            on.each(r, [&](sampler& s) { found.push_back(probe_level(s, on.machine(), what, level)); });
            return found;
          }};
}

template <class Measure>
peak_probe by_one(host_bench& on, std::string id, std::string title, std::string means, depth from,
                  Measure measure) {
  return {std::move(id), std::move(title), std::move(means), from,
          [&on, measure](const request& what) { return measure(on.one(what), what); }};
}

void add_latencies(probe_list& list, host_bench& on) {
  list.push_back(by_one(on, "cpu.latency", "latency of loads", "bounds lists, trees and every lookup",
                        depth::quick, [&on](sampler& s, const request& what) {
                          return probe_latency(s, on.machine(), what.how >= depth::standard);
                        }));
  list.push_back(by_one(on, "cpu.parallel_loads", "loads in flight",
                        "what lookups reach that do not wait for each other", depth::standard,
                        [&on](sampler& s, const request&) {
                          return rows{probe_parallel_loads(s, chase_bytes(on.machine()))};
                        }));
  list.push_back(by_one(on, "cpu.tlb", "finding pages", "what scattered access pays on small pages",
                        depth::standard, [](sampler& s, const request&) { return rows{probe_tlb(s)}; }));
  list.push_back(by_one(on, "cpu.page_fault", "first touch of memory",
                        "what fresh memory costs before it is used", depth::quick,
                        [](sampler& s, const request&) { return probe_page_faults(s); }));
  list.push_back({"cpu.latency_loaded", "latency under load", "what a lookup waits while others stream",
                  depth::deep, [&on](const request& what) {
                    return rows{probe_loaded_latency(on.all(what), chase_bytes(on.machine()))};
                  }});
}

void add_sweeps(probe_list& list, host_bench& on) {
  list.push_back({"cpu.sweep.read", "reading over working sets", "shows the levels as they are, not as told",
                  depth::standard, [&on](const request& what) {
                    rows found;
                    const auto most = what.how == depth::deep ? 8 * chase_bytes(on.machine()) : 256 * mib;
                    on.each(what, [&](sampler& s) { found.push_back(probe_read_sweep(s, most)); });
                    return found;
                  }});
  list.push_back(by_one(
      on, "cpu.sweep.latency", "latency over working sets", "shows the levels as they are, not as told",
      depth::standard, [&on](sampler& s, const request& what) {
        const auto most = what.how == depth::deep ? 8 * chase_bytes(on.machine()) : 256 * mib;
        return rows{probe_latency_sweep(s, most)};
      }));
}

}  // namespace

void add_cache_probes(probe_list& list, host_bench& on) {
  for (const std::string_view level : {"l1", "l2", "l3"}) {
    list.push_back(in_level(on, "read", level, "bounds code whose data stays in this cache"));
    list.push_back(in_level(on, "write", level, "bounds filling what stays in this cache"));
    list.push_back(in_level(on, "copy", level, "bounds copies that stay in this cache"));
    list.push_back(in_level(on, "triad", level, "bounds vector code that stays in this cache"));
  }
  add_latencies(list, on);
  add_sweeps(list, on);
  list.push_back({"cpu.core_to_core", "from core to core", "bounds locks, queues and barriers",
                  depth::standard,
                  [&on](const request& what) { return probe_core_pairs(what.clock, on.machine()); }});
  list.push_back({"cpu.numa", "memory nodes", "what memory of another node costs", depth::standard,
                  [&on](const request& what) { return probe_nodes(what.clock, on.machine()); }});
}

}  // namespace ridge::backends::probe_host
