// SPDX-License-Identifier: Apache-2.0
#include "tree/core_parts.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include <ridge/host/cpu_list.hpp>

#include "tree/amounts.hpp"

namespace ridge::probe {
namespace {

using host::cache_kind;
using host::core;
using host::cpu_cache;
using model::machine_node;

bool contains(const std::vector<int>& cpus, int cpu) { return std::ranges::find(cpus, cpu) != cpus.end(); }

const cpu_cache* cache_of(const host::topology& machine, int level, cache_kind kind, int cpu) {
  const auto at = std::ranges::find_if(machine.caches, [&](const cpu_cache& c) {
    const bool sort = (kind == cache_kind::instruction) == (c.kind == cache_kind::instruction);
    return c.level == level && sort && contains(c.cpus, cpu);
  });
  return at == machine.caches.end() ? nullptr : &*at;
}

// The properties that distinguish the cores of a hybrid processor.
using sort_of_core = std::tuple<std::size_t, std::size_t, std::size_t, std::size_t>;

sort_of_core sort_of(const host::topology& machine, const core& c) {
  const auto bytes = [&](int level, cache_kind kind) {
    const auto* cache = cache_of(machine, level, kind, c.cpus.front());
    return cache == nullptr ? 0 : cache->bytes;
  };
  return {c.cpus.size(), bytes(1, cache_kind::data), bytes(1, cache_kind::instruction),
          bytes(2, cache_kind::data)};
}

// Returns the first threads of the cores, then the second ones: "0-55 and 112-167".
std::string threads_of(const std::vector<core>& cores) {
  std::string text;
  for (std::size_t thread = 0; thread < cores.front().cpus.size(); ++thread) {
    std::vector<int> cpus;
    for (const auto& c : cores) cpus.push_back(c.cpus[thread]);
    std::ranges::sort(cpus);
    text += (text.empty() ? "" : " and ") + host::format_cpu_list(cpus);
  }
  return text;
}

std::size_t cores_sharing(const std::vector<core>& cores, const cpu_cache& cache) {
  return static_cast<std::size_t>(
      std::ranges::count_if(cores, [&](const core& c) { return contains(cache.cpus, c.cpus.front()); }));
}

void add_cores(machine_node& part, const host::topology& machine, const std::vector<core>& cores) {
  const auto threads = cores.front().cpus.size();
  add_count(part, "cores", static_cast<double>(cores.size()));
  if (threads > 1) add_count(part, "threads per core", static_cast<double>(threads));
  part.add("CPUs", threads_of(cores));
  const auto add_cache = [&](const char* name, int level, cache_kind kind) {
    const auto* cache = cache_of(machine, level, kind, cores.front().cpus.front());
    if (cache == nullptr || cache->bytes == 0) return;
    const auto bytes = static_cast<double>(cache->bytes);
    const auto sharing = level == 1 ? 1 : cores_sharing(cores, *cache);
    part.add(name, bytes_words(bytes) + (sharing > 1 ? fmt::format(" for {} cores", sharing) : ""), bytes,
             "B");
  };
  add_cache("L2", 2, cache_kind::data);
  add_cache("L1d", 1, cache_kind::data);
  add_cache("L1i", 1, cache_kind::instruction);
}

std::vector<std::vector<core>> by_sort(const host::topology& machine, const std::vector<core>& cores) {
  std::vector<std::pair<sort_of_core, std::vector<core>>> groups;
  for (const auto& c : cores) {
    const auto sort = sort_of(machine, c);
    auto at = std::ranges::find_if(groups, [&](const auto& g) { return g.first == sort; });
    if (at == groups.end()) at = groups.insert(groups.end(), {sort, {}});
    at->second.push_back(c);
  }
  std::vector<std::vector<core>> sorts;
  for (auto& g : groups) sorts.push_back(std::move(g.second));
  return sorts;
}

// Adds one line where all cores are of one sort; else one line for each sort below it.
void add_sorts(machine_node& part, const host::topology& machine, const std::vector<core>& cores) {
  const auto sorts = by_sort(machine, cores);
  if (sorts.size() == 1) return add_cores(part, machine, cores);
  for (const auto& one : sorts) {
    part.children.push_back({.kind = "cores", .name = "cores"});
    add_cores(part.children.back(), machine, one);
  }
}

machine_node group_part(const host::topology& machine, const cpu_cache* cache,
                        const std::vector<core>& cores) {
  if (cache == nullptr) {
    machine_node part{.kind = "cores", .name = "cores"};
    add_sorts(part, machine, cores);
    return part;
  }
  machine_node part{.kind = "l3", .name = "L3"};
  add_bytes(part, "size", static_cast<double>(cache->bytes));
  add_sorts(part, machine, cores);
  return part;
}

}  // namespace

std::vector<machine_node> core_parts(const host::topology& machine, const std::vector<int>& cpus) {
  std::vector<std::pair<const cpu_cache*, std::vector<core>>> groups;
  for (const auto& c : machine.cores) {
    if (!contains(cpus, c.cpus.front())) continue;
    const auto* cache = cache_of(machine, 3, cache_kind::unified, c.cpus.front());
    auto at = std::ranges::find_if(groups, [&](const auto& g) { return g.first == cache; });
    if (at == groups.end()) at = groups.insert(groups.end(), {cache, {}});
    at->second.push_back(c);
  }
  std::vector<machine_node> parts;
  for (const auto& [cache, cores] : groups) parts.push_back(group_part(machine, cache, cores));
  return parts;
}

}  // namespace ridge::probe
