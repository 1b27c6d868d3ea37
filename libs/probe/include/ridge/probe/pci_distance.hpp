// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include <ridge/host/pci.hpp>

namespace ridge::probe {

// What traffic between two devices passes, nearest first, with the names that `nvidia-smi topo -m` uses.
enum class pci_distance : std::uint8_t {
  same,           // X
  one_switch,     // PIX
  switches,       // PXB: several bridges, but no host bridge
  host_bridge,    // PHB: the host bridge that both are below
  node,           // NODE: several host bridges of one NUMA node
  between_nodes,  // SYS: the links between NUMA nodes
};

// Returns what traffic between two devices of one machine passes.
[[nodiscard]] pci_distance distance_between(const host::pci_device& a, const host::pci_device& b);
// Returns "X", "PIX", "PXB", "PHB", "NODE" or "SYS".
[[nodiscard]] std::string_view name(pci_distance);

}  // namespace ridge::probe
