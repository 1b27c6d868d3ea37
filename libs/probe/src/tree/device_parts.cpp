// SPDX-License-Identifier: Apache-2.0
#include "tree/device_parts.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/base/units.hpp>

#include "tree/amounts.hpp"
#include "tree/pci_names.hpp"
#include "tree/storage_parts.hpp"

namespace ridge::probe {
namespace {

using host::pci_device;
using host::pci_link;
using model::machine_node;

std::string link_words(double speed_gt_s, int width) {
  const int generation = host::pci_generation(speed_gt_s);
  const auto speed =
      generation > 0 ? fmt::format("PCIe {}", generation) : fmt::format("{:g} GT/s", speed_gt_s);
  return fmt::format("{} ×{}, {}", speed, width,
                     format_quantity(host::pci_bytes_per_s(speed_gt_s, width), "B/s"));
}

void add_link_at(machine_node& part, std::string label, double speed_gt_s, int width,
                 const std::string& place = "") {
  const double rate = host::pci_bytes_per_s(speed_gt_s, width);
  if (rate <= 0) return;
  part.add(std::move(label), link_words(speed_gt_s, width) + (place.empty() ? "" : " at " + place), rate,
           "B/s");
}

void add_link(machine_node& part, const pci_link& link) {
  const bool full = link.speed_gt_s >= link.max_speed_gt_s && link.width >= link.max_width;
  add_link_at(part, "link", link.speed_gt_s, link.width);
  if (!full || link.width == 0) add_link_at(part, "link at most", link.max_speed_gt_s, link.max_width);
}

// Names the hop on the way whose bandwidth is lower than that of the link of the device.
void add_narrowest(machine_node& part, const pci_device& device) {
  const auto now = device.narrowest_now(), most = device.narrowest_at_most();
  const auto own = host::pci_bytes_per_s(device.link.speed_gt_s, device.link.width);
  const auto own_most = host::pci_bytes_per_s(device.link.max_speed_gt_s, device.link.max_width);
  const auto is_less = [](double rate, double than) { return than <= 0 || rate < than; };
  if (now && is_less(host::pci_bytes_per_s(now->link.speed_gt_s, now->link.width), own))
    add_link_at(part, "narrowest", now->link.speed_gt_s, now->link.width, now->address);
  if (most && is_less(host::pci_bytes_per_s(most->link.max_speed_gt_s, most->link.max_width), own_most))
    add_link_at(part, "narrowest at most", most->link.max_speed_gt_s, most->link.max_width, most->address);
}

void add_bus(machine_node& part, const gpu_bus& bus) {
  const auto words = [](int generation, int width) { return fmt::format("PCIe {} ×{}", generation, width); };
  if (bus.generation > 0 && bus.width > 0) part.add("link", words(bus.generation, bus.width));
  const bool full = bus.generation >= bus.max_generation && bus.width >= bus.max_width;
  if (!full && bus.max_width > 0) part.add("link at most", words(bus.max_generation, bus.max_width));
}

// The driver of the device behind virtio says more than that of the bus.
void add_place(machine_node& part, const pci_device& device, const std::string& driver = "") {
  part.add("address", device.address);
  add_link(part, device.link);
  add_narrowest(part, device);
  part.add("driver", driver.empty() ? device.driver : driver);
  add_count(part, "virtual functions", device.virtual_functions);
  part.add("virtual function of", device.physical_function);
}

machine_node gpu_part(const pci_device& device, const gpu_facts& gpu) {
  machine_node part{.kind = "gpu", .name = fmt::format("GPU {}: {}", gpu.index, gpu.name)};
  part.add("address", device.address);
  if (device.link.width > 0)
    add_link(part, device.link);
  else
    add_bus(part, gpu.bus);
  add_narrowest(part, device);
  return part;
}

template <class T>
std::vector<const T*> at_address(const std::vector<T>& all, const std::string& address) {
  std::vector<const T*> found;
  for (const auto& one : all) {
    if (one.pci_address == address) found.push_back(&one);
  }
  return found;
}

std::string speed_words(int mbit) {
  return mbit % 1000 == 0 ? fmt::format("{} Gb/s", mbit / 1000) : fmt::format("{} Mb/s", mbit);
}

// Adds the rate in a text such as "400 Gb/sec (4X NDR)".
void add_rate_of(machine_node& part, const std::string& words) {
  double gigabits = 0;
  std::from_chars(words.data(), words.data() + words.size(), gigabits);
  if (gigabits > 0) part.add("rate", words, gigabits * 1e9 / 8, "B/s");
}

void add_interface(machine_node& part, const host::network_interface& interface, bool alone) {
  if (interface.speed_mbit && alone)
    part.add("rate", speed_words(*interface.speed_mbit), *interface.speed_mbit * 1e6 / 8, "B/s");
  if (alone) part.add("state", interface.state);
  add_count(part, "MTU", interface.mtu);
}

machine_node network_part(const pci_device& device,
                          const std::vector<const host::network_interface*>& interfaces,
                          const std::vector<const host::rdma_device*>& rdma) {
  std::vector<std::string> names;
  for (const auto* one : rdma) names.push_back(one->name);
  for (const auto* one : interfaces) names.push_back(one->name);
  machine_node part{.kind = "network", .name = join(names, ", ")};
  if (!rdma.empty()) {
    const auto& first = *rdma.front();
    add_rate_of(part, first.rate);
    part.add("state", first.layer + (first.layer.empty() ? "" : " ") + first.state);
  }
  if (!interfaces.empty()) add_interface(part, *interfaces.front(), rdma.empty());
  add_place(part, device, interfaces.empty() ? "" : interfaces.front()->driver);
  return part;
}

machine_node disk_part(const pci_device& device, const std::vector<const host::block_device*>& disks) {
  machine_node part{.kind = "disk", .name = disks.front()->name};
  if (disks.size() == 1) {
    add_disk_facts(part, *disks.front());
    add_place(part, device);
    return part;
  }
  part = {.kind = "disks", .name = pci_name(device)};
  add_place(part, device);
  for (const auto* one : disks) {
    part.children.push_back({.kind = "disk", .name = one->name});
    add_disk_facts(part.children.back(), *one);
  }
  return part;
}

// Returns the GPU at an address of the PCI bus, or null where the runtime shows none there.
const gpu_facts* gpu_at(const machine_facts& machine, const std::string& address) {
  if (!machine.gpus) return nullptr;
  const auto& gpus = machine.gpus.value().gpus;
  const auto at = std::ranges::find(gpus, address, &gpu_facts::address);
  return at == gpus.end() ? nullptr : &*at;
}

machine_node device_part(const machine_facts& machine, const pci_device& device) {
  if (const auto* gpu = gpu_at(machine, device.address)) return gpu_part(device, *gpu);
  const auto interfaces = at_address(machine.network, device.address);
  const auto rdma = at_address(machine.rdma, device.address);
  if (!interfaces.empty() || !rdma.empty()) return network_part(device, interfaces, rdma);
  if (const auto disks = at_address(machine.disks, device.address); !disks.empty())
    return disk_part(device, disks);
  machine_node part{.kind = is_display(device) ? "gpu" : "device", .name = pci_name(device)};
  if (machine.gpus && device.driver == "nvidia") part.add("use", "not given to this process");
  add_place(part, device);
  return part;
}

using devices = std::vector<const pci_device*>;

machine_node bridge_part(const machine_facts& machine, const std::string& address, std::size_t depth) {
  const auto at = std::ranges::find(machine.pci, address, &pci_device::address);
  machine_node part{.kind = depth == 0 ? "root_port" : "switch",
                    .name = (depth == 0 ? "root port " : "switch ") + address};
  if (at != machine.pci.end()) add_link(part, at->link);
  return part;
}

// Returns the devices grouped by the bridge `depth` steps below the root; a bridge with one part below it is
// left out.
std::vector<machine_node> below_bridges(const machine_facts& machine, const devices& all, std::size_t depth) {
  std::vector<machine_node> parts;
  std::vector<std::pair<std::string, devices>> groups;
  for (const auto* device : all) {
    const auto& key = depth < device->bridges.size() ? device->bridges[depth].address : device->address;
    auto at = std::ranges::find_if(groups, [&](const auto& g) { return g.first == key; });
    if (at == groups.end()) at = groups.insert(groups.end(), {key, {}});
    at->second.push_back(device);
  }
  for (const auto& [address, members] : groups) {
    if (members.front()->address == address) {
      parts.push_back(device_part(machine, *members.front()));
      continue;
    }
    auto below = below_bridges(machine, members, depth + 1);
    if (below.size() == 1) {
      if (depth == 0) below.front().add("root port", address);
      parts.push_back(std::move(below.front()));
    } else {
      parts.push_back(bridge_part(machine, address, depth));
      parts.back().children = std::move(below);
    }
  }
  return parts;
}

// Returns whether this system passes the function to a guest: then there is nothing to show here.
bool is_handed_out(const machine_facts& machine, const pci_device& device) {
  return !device.physical_function.empty() && at_address(machine.network, device.address).empty() &&
         at_address(machine.rdma, device.address).empty() && gpu_at(machine, device.address) == nullptr;
}

bool is_near(const machine_facts& machine, const pci_device& device, std::optional<int> node) {
  const auto& nodes = machine.topology.nodes;
  const bool online =
      device.numa_node && std::ranges::find(nodes, *device.numa_node, &host::numa_node::id) != nodes.end();
  if (!online && nodes.size() == 1) return node == nodes.front().id;
  return online ? device.numa_node == node : !node;
}

}  // namespace

std::vector<machine_node> device_parts(const machine_facts& machine, std::optional<int> node) {
  devices near;
  for (const auto& device : machine.pci) {
    if (is_of_use(device) && !is_handed_out(machine, device) && is_near(machine, device, node))
      near.push_back(&device);
  }
  return below_bridges(machine, near, 0);
}

}  // namespace ridge::probe
