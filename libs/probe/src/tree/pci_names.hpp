// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/host/pci.hpp>

namespace ridge::probe {

// Returns vendor and class in words and the rest by number: "NVIDIA 3D controller 10de:2335".
[[nodiscard]] std::string pci_name(const host::pci_device& device);

// Returns whether computing may use the device: storage, network, display, processing accelerators,
// coprocessors, NVSwitches.
[[nodiscard]] bool is_of_use(const host::pci_device& device);

[[nodiscard]] bool is_display(const host::pci_device& device);

}  // namespace ridge::probe
