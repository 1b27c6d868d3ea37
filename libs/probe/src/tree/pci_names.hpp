// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/host/pci.hpp>

namespace ridge::probe {

// Vendor and class in words, the rest by number: "NVIDIA 3D controller 10de:2335".
[[nodiscard]] std::string pci_name(const host::pci_device& of);

// Storage, network, display, processing accelerators, coprocessors, NVSwitches: what computing may use.
[[nodiscard]] bool is_of_use(const host::pci_device& of);

[[nodiscard]] bool is_display(const host::pci_device& of);

}  // namespace ridge::probe
