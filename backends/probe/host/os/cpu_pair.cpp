// SPDX-License-Identifier: Apache-2.0
#include "os/cpu_pair.hpp"

#include <algorithm>

#include <ridge/base/expects.hpp>

namespace ridge::backends::probe_host {
namespace {

bool holds(const std::vector<int>& cpus, int cpu) { return std::ranges::find(cpus, cpu) != cpus.end(); }

void add_sibling(std::vector<cpu_pair>& pairs, const host::topology& machine, int first) {
  for (const auto& core : machine.cores) {
    if (!holds(core.cpus, first)) continue;
    for (const int cpu : core.cpus) {
      if (cpu != first) return pairs.push_back({"sibling", "on two threads of one core", first, cpu});
    }
  }
}

void add_other_node(std::vector<cpu_pair>& pairs, const host::topology& machine, int first) {
  for (const auto& node : machine.nodes) {
    if (node.cpus.empty() || holds(node.cpus, first)) continue;
    for (const int cpu : node.cpus) {
      if (holds(machine.allowed, cpu))
        return pairs.push_back({"other_node", "on cores of two NUMA nodes", first, cpu});
    }
  }
}

}  // namespace

std::vector<cpu_pair> cpu_pairs(const host::topology& machine) {
  const auto cpus = machine.one_cpu_per_core();
  expects(!cpus.empty(), "cpu_pairs: a machine with a CPU");
  const int first = cpus.front();
  std::vector<cpu_pair> pairs{{"same_cpu", "on one CPU", first, first}};
  add_sibling(pairs, machine, first);
  if (cpus.size() > 1) pairs.push_back({"other_core", "on two cores", first, cpus[1]});
  add_other_node(pairs, machine, first);
  return pairs;
}

cpu_pair pair_apart(const host::topology& machine) {
  for (const auto& pair : cpu_pairs(machine)) {
    if (pair.name == "other_core") return pair;
  }
  return cpu_pairs(machine).back();
}

}  // namespace ridge::backends::probe_host
