// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <iterator>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/host/cpu_list.hpp>
#include <ridge/host/text_file.hpp>

#include "audit/checks.hpp"

namespace ridge::probe {
namespace {

constexpr auto far_memory = "Memory of the far node is slower and shares the link between the sockets.";

bool meets(const std::vector<int>& a, const std::vector<int>& b) {
  return std::ranges::any_of(a, [&](int x) { return std::ranges::binary_search(b, x); });
}

std::vector<host::numa_node> nodes_in_reach(const system_view& system) {
  std::vector<host::numa_node> found;
  std::ranges::copy_if(system.machine.nodes, std::back_inserter(found),
                       [&](const auto& node) { return meets(node.cpus, system.machine.allowed); });
  return found;
}

// Returns the commands that bind a program to the CPUs and memory of a node.
advice stay_on(const host::numa_node& node) {
  const auto cpus = host::format_cpu_list(node.cpus);
  return {fmt::format("numactl --cpunodebind={0} --membind={0} ridge ... (or taskset -c {1})", node.id, cpus),
          fmt::format("--cpuset-cpus={} --cpuset-mems={}", cpus, node.id),
          "kubelet --topology-manager-policy=single-numa-node --cpu-manager-policy=static "
          "--memory-manager-policy=Static, whole CPUs in requests equal to limits"};
}

observed page_balancing(const system_view& system) {
  constexpr auto why =
      "The kernel unmaps pages to see who uses them and moves them: faults in pinned work, for nothing.";
  const auto mode = system.number("proc/sys/kernel/numa_balancing");
  if (!mode) return std::nullopt;
  auto seen = fmt::format("kernel.numa_balancing = {}, {} nodes", *mode, system.machine.nodes.size());
  if (*mode == 0 || system.machine.nodes.size() < 2) return fine(std::move(seen), why);
  return warning(std::move(seen), why, host_setting("sudo sysctl kernel.numa_balancing=0"));
}

observed reclaim(const system_view& system) {
  constexpr auto why =
      "The kernel drops a node's cached files before it takes memory of another node: allocations stall.";
  const auto mode = system.number("proc/sys/vm/zone_reclaim_mode");
  if (!mode || system.machine.nodes.size() < 2) return std::nullopt;
  auto seen = fmt::format("vm.zone_reclaim_mode = {}", *mode);
  if (*mode == 0) return fine(std::move(seen), why);
  return warning(std::move(seen), why, host_setting("sudo sysctl vm.zone_reclaim_mode=0"));
}

observed placement(const system_view& system) {
  const auto nodes = nodes_in_reach(system);
  if (nodes.empty()) return std::nullopt;
  std::vector<std::string> parts;
  for (const auto& node : nodes) {
    const auto distance =
        system.text(fmt::format("sys/devices/system/node/node{}/distance", node.id)).value_or("");
    parts.push_back(
        fmt::format("node {}: CPUs {}{}", node.id, host::format_cpu_list(node.cpus),
                    distance.empty() || system.machine.nodes.size() < 2 ? "" : ", distances " + distance));
  }
  if (nodes.size() == 1) return fine(join(parts, "; "), far_memory);
  return note(join(parts, "; "), far_memory, stay_on(nodes.front()));
}

observed memory_nodes(const system_view& system) {
  const auto status = system.text("proc/self/status").value_or("");
  const auto list = host::parse_cpu_list(host::value_after(status, "Mems_allowed_list"));
  if (!list || list->empty())
    return unreadable("procfs does not tell the nodes that memory may come from", far_memory);
  const auto nodes = nodes_in_reach(system);
  const bool near = nodes.empty() || std::ranges::any_of(nodes, [&](const auto& node) {
                      return std::ranges::binary_search(*list, node.id);
                    });
  const auto seen = "from nodes " + host::format_cpu_list(*list);
  if (near) return fine(seen, far_memory);
  return warning(fmt::format("{}, while the CPUs are of node {}", seen, nodes.front().id), far_memory,
                 stay_on(nodes.front()));
}

// Returns the kind of a device that moves data in bulk: GPU, network adapter or NVMe disk; empty for others.
std::string_view bulk_kind(const host::pci_device& device) {
  constexpr std::uint32_t nvme = 0x0108;
  switch (device.class_code >> 16) {
    case 0x02:
      return "network adapter";
    case 0x03:
      return "GPU";
    case 0x12:
      return "accelerator";
    default:
      return device.class_code >> 8 == nvme ? "NVMe disk" : "";
  }
}

observed device_nodes(const system_view& system) {
  constexpr auto why =
      "Copies to a device from the far node cross the link between the sockets: slower, and they share it.";
  if (system.machine.nodes.size() < 2) return std::nullopt;
  std::vector<std::string> near, far;
  const host::numa_node* where = nullptr;
  for (const auto& device : system.devices) {
    if (bulk_kind(device).empty() || !device.numa_node) continue;
    const auto node = std::ranges::find(system.machine.nodes, *device.numa_node, &host::numa_node::id);
    if (node == system.machine.nodes.end() || node->cpus.empty()) continue;
    const bool reached = meets(node->cpus, system.machine.allowed);
    (reached ? near : far)
        .push_back(fmt::format("{} {} at node {} (CPUs {})", bulk_kind(device), device.address, node->id,
                               host::format_cpu_list(node->cpus)));
    // The node of a GPU counts, whatever other devices are attached to other nodes.
    if (where == nullptr || (bulk_kind(device) == "GPU" && !reached)) where = &*node;
  }
  if (where == nullptr) return unreadable("no device tells its node", why);
  if (!far.empty())
    return warning("not near the CPUs of this process: " + join(far, "; "), why, stay_on(*where));
  if (nodes_in_reach(system).size() > 1) return note(join(near, "; "), why, stay_on(*where));
  return fine(join(near, "; "), why);
}

constexpr std::array all_numa_checks{check{"numa.balancing", "NUMA balancing", page_balancing},
                                     check{"numa.reclaim", "Reclaim within a node", reclaim},
                                     check{"numa.placement", "Nodes in reach", placement},
                                     check{"numa.memory", "Where memory comes from", memory_nodes},
                                     check{"numa.devices", "Devices' nodes", device_nodes}};

}  // namespace

std::span<const check> numa_checks() { return all_numa_checks; }

}  // namespace ridge::probe
