// SPDX-License-Identifier: Apache-2.0
#include <ridge/probe/machine_tree.hpp>

#include <algorithm>
#include <iterator>
#include <set>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/host/cpu_list.hpp>

#include "tree/amounts.hpp"
#include "tree/core_parts.hpp"
#include "tree/device_parts.hpp"
#include "tree/distance_parts.hpp"
#include "tree/gpu_parts.hpp"
#include "tree/storage_parts.hpp"
#include "tree/system_parts.hpp"

namespace ridge::probe {
namespace {

using model::machine_node;

void append(machine_node& part, std::vector<machine_node> parts) {
  std::ranges::move(parts, std::back_inserter(part.children));
}

// Returns the sockets to which the CPUs of a node belong, as far as this process may use them.
std::set<int> packages_of(const host::topology& machine, const host::numa_node& node) {
  std::set<int> packages;
  for (const auto& c : machine.cores) {
    if (std::ranges::find(node.cpus, c.cpus.front()) != node.cpus.end()) packages.insert(c.package);
  }
  return packages;
}

machine_node node_part(const machine_facts& machine, const host::numa_node& node) {
  machine_node part{.kind = "numa_node", .name = fmt::format("NUMA node {}", node.id)};
  add_bytes(part, "memory", static_cast<double>(node.memory_bytes));
  part.add("CPUs", node.cpus.empty() ? "none" : host::format_cpu_list(node.cpus),
           static_cast<double>(node.cpus.size()), "1");
  if (machine.topology.nodes.size() > 1 && !node.distances.empty()) {
    std::vector<std::string> words;
    for (const int d : node.distances) words.push_back(fmt::format("{}", d));
    part.add("distances", join(words, " "));
  }
  append(part, core_parts(machine.topology, node.cpus));
  append(part, device_parts(machine, node.id));
  return part;
}

machine_node package_part(const machine_facts& machine, int id) {
  machine_node part{.kind = "package", .name = fmt::format("package {}", id)};
  const auto cores = std::ranges::count(machine.topology.cores, id, &host::core::package);
  const auto& cpu = machine.topology.cpu;
  part.add("model", cpu.model.empty() ? cpu.vendor : cpu.model);
  add_count(part, "cores", static_cast<double>(cores));
  part.add("microcode", cpu.microcode);
  return part;
}

// Adds nodes below the one package they belong to; others, and those without CPUs, below the machine.
void append_packages(machine_node& part, const machine_facts& machine) {
  std::set<int> packages;
  for (const auto& c : machine.topology.cores) packages.insert(c.package);
  for (const int id : packages) {
    part.children.push_back(package_part(machine, id));
    for (const auto& node : machine.topology.nodes) {
      if (packages_of(machine.topology, node) == std::set{id})
        part.children.back().children.push_back(node_part(machine, node));
    }
  }
  for (const auto& node : machine.topology.nodes) {
    if (packages_of(machine.topology, node).size() != 1) part.children.push_back(node_part(machine, node));
  }
}

std::string gpu_summary(const std::vector<gpu_facts>& gpus) {
  if (gpus.empty()) return {};
  return gpus.size() == 1 ? gpus.front().name : fmt::format("{} × {}", gpus.size(), gpus.front().name);
}

machine_node root_of(const machine_facts& machine) {
  machine_node root{.kind = "machine", .name = machine.name};
  const auto& t = machine.topology;
  add_count(root, "cores", static_cast<double>(t.cores.size()));
  add_count(root, "CPUs", static_cast<double>(t.allowed.size()));
  add_bytes(root, "memory", static_cast<double>(t.usable_memory_bytes()));
  root.add("GPU",
           machine.gpus ? gpu_summary(machine.gpus.value().gpus) : "none: " + machine.gpus.why().message);
  if (!t.system.hypervisor.empty()) root.add("virtual machine", "under " + t.system.hypervisor);
  root.add("container", machine.container);
  return root;
}

}  // namespace

machine_node machine_tree(const machine_facts& machine) {
  auto root = root_of(machine);
  append_packages(root, machine);
  if (auto others = device_parts(machine, std::nullopt); !others.empty())
    root.children.push_back({.kind = "devices", .name = "devices of no node", .children = std::move(others)});
  append(root, gpu_parts(machine));
  append(root, distance_parts(machine));
  append(root, network_parts(machine));
  append(root, disk_parts(machine));
  append(root, {system_part(machine), instructions_part(machine), software_part(machine)});
  std::erase_if(root.children, [](const machine_node& n) { return n.facts.empty() && n.children.empty(); });
  return root;
}

}  // namespace ridge::probe
