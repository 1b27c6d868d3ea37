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

void append(machine_node& to, std::vector<machine_node> parts) {
  std::ranges::move(parts, std::back_inserter(to.children));
}

// The sockets to which CPUs of a node belong, as far as this process may use them.
std::set<int> packages_of(const host::topology& of, const host::numa_node& node) {
  std::set<int> packages;
  for (const auto& c : of.cores) {
    if (std::ranges::find(node.cpus, c.cpus.front()) != node.cpus.end()) packages.insert(c.package);
  }
  return packages;
}

machine_node node_part(const machine_facts& of, const host::numa_node& node) {
  machine_node part{.kind = "numa_node", .name = fmt::format("NUMA node {}", node.id)};
  add_bytes(part, "memory", static_cast<double>(node.memory_bytes));
  part.add("CPUs", node.cpus.empty() ? "none" : host::format_cpu_list(node.cpus),
           static_cast<double>(node.cpus.size()), "1");
  if (of.topology.nodes.size() > 1 && !node.distances.empty()) {
    std::vector<std::string> words;
    for (const int d : node.distances) words.push_back(fmt::format("{}", d));
    part.add("distances", join(words, " "));
  }
  append(part, core_parts(of.topology, node.cpus));
  append(part, device_parts(of, node.id));
  return part;
}

machine_node package_part(const machine_facts& of, int id) {
  machine_node part{.kind = "package", .name = fmt::format("package {}", id)};
  const auto cores = std::ranges::count(of.topology.cores, id, &host::core::package);
  const auto& cpu = of.topology.cpu;
  part.add("model", cpu.model.empty() ? cpu.vendor : cpu.model);
  add_count(part, "cores", static_cast<double>(cores));
  part.add("microcode", cpu.microcode);
  return part;
}

// Nodes below the one package they belong to; others, and those without CPUs, below the machine.
void append_packages(machine_node& to, const machine_facts& of) {
  std::set<int> packages;
  for (const auto& c : of.topology.cores) packages.insert(c.package);
  for (const int id : packages) {
    to.children.push_back(package_part(of, id));
    for (const auto& node : of.topology.nodes) {
      if (packages_of(of.topology, node) == std::set{id})
        to.children.back().children.push_back(node_part(of, node));
    }
  }
  for (const auto& node : of.topology.nodes) {
    if (packages_of(of.topology, node).size() != 1) to.children.push_back(node_part(of, node));
  }
}

std::string gpu_summary(const std::vector<gpu_facts>& gpus) {
  if (gpus.empty()) return {};
  return gpus.size() == 1 ? gpus.front().name : fmt::format("{} × {}", gpus.size(), gpus.front().name);
}

machine_node root_of(const machine_facts& of) {
  machine_node root{.kind = "machine", .name = of.name};
  const auto& t = of.topology;
  add_count(root, "cores", static_cast<double>(t.cores.size()));
  add_count(root, "CPUs", static_cast<double>(t.allowed.size()));
  add_bytes(root, "memory", static_cast<double>(t.usable_memory_bytes()));
  root.add("GPU", of.gpus ? gpu_summary(of.gpus.value().gpus) : "none: " + of.gpus.why().what);
  if (!t.system.hypervisor.empty()) root.add("virtual machine", "under " + t.system.hypervisor);
  root.add("container", of.container);
  return root;
}

}  // namespace

machine_node machine_tree(const machine_facts& of) {
  auto root = root_of(of);
  append_packages(root, of);
  if (auto others = device_parts(of, std::nullopt); !others.empty())
    root.children.push_back({.kind = "devices", .name = "devices of no node", .children = std::move(others)});
  append(root, gpu_parts(of));
  append(root, distance_parts(of));
  append(root, network_parts(of));
  append(root, disk_parts(of));
  append(root, {system_part(of), instructions_part(of), software_part(of)});
  std::erase_if(root.children, [](const machine_node& n) { return n.facts.empty() && n.children.empty(); });
  return root;
}

}  // namespace ridge::probe
