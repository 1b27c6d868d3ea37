// SPDX-License-Identifier: Apache-2.0
#include <ridge/probe/pci_distance.hpp>

#include <algorithm>

namespace ridge::probe {
namespace {

using host::pci_device;

// Returns domain and bus of the uppermost device on the way: the bus of the host bridge.
std::string_view root_bus(const pci_device& device) {
  const std::string_view top = device.bridges.empty() ? device.address : device.bridges.front().address;
  return top.substr(0, top.rfind(':'));
}

}  // namespace

pci_distance distance_between(const pci_device& a, const pci_device& b) {
  if (a.address == b.address) return pci_distance::same;
  const auto [in_a, in_b] =
      std::ranges::mismatch(a.bridges, b.bridges, {}, &host::pci_hop::address, &host::pci_hop::address);
  if (in_a != a.bridges.begin()) {
    // Below the last common bridge each device has its own port of that switch, or both are functions of one
    // card.
    const auto below = std::max(a.bridges.end() - in_a, b.bridges.end() - in_b);
    return below <= 1 ? pci_distance::one_switch : pci_distance::switches;
  }
  if (root_bus(a) == root_bus(b)) return pci_distance::host_bridge;
  return a.numa_node && a.numa_node == b.numa_node ? pci_distance::node : pci_distance::between_nodes;
}

std::string_view name(pci_distance distance) {
  switch (distance) {
    case pci_distance::same:
      return "X";
    case pci_distance::one_switch:
      return "PIX";
    case pci_distance::switches:
      return "PXB";
    case pci_distance::host_bridge:
      return "PHB";
    case pci_distance::node:
      return "NODE";
    case pci_distance::between_nodes:
      break;
  }
  return "SYS";
}

}  // namespace ridge::probe
