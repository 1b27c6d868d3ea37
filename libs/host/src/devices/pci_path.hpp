// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::host {

// Returns whether a name is a PCI address, "0000:1b:00.0": domain, bus, device and function in hexadecimal
// digits.
[[nodiscard]] bool is_pci_address(std::string_view name);

// Returns the PCI addresses among the components of the folder that `link` leads to, from the root port down;
// empty where it leads nowhere or passes no PCI device.
[[nodiscard]] std::vector<std::string> pci_addresses_of(const std::filesystem::path& link);

// Returns the last of them: the device itself.
[[nodiscard]] std::string pci_address_of(const std::filesystem::path& link);

// Returns the NUMA node of a PCI device below `root`; nothing where the firmware names none (-1).
[[nodiscard]] std::optional<int> numa_node_of(const std::filesystem::path& root, const std::string& address);

// Returns the name of the driver that `device`/driver leads to; empty where none is bound.
[[nodiscard]] std::string driver_of(const std::filesystem::path& device);

}  // namespace ridge::host
