// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ridge::host {

// What one end of a PCIe link tells about it. 0: not told (a device of a virtual machine, or no PCIe at all).
// An idle device may run its link slower than it can.
struct pci_link {
  double speed_gt_s = 0;  // per lane: 2.5, 5, 8, 16, 32, 64
  int width = 0;          // lanes
  double max_speed_gt_s = 0;
  int max_width = 0;
  bool operator==(const pci_link&) const = default;
};

// Returns the PCIe generation of a speed: 1 to 7 for 2.5 to 128 GT/s, 0 for another speed.
[[nodiscard]] int pci_generation(double speed_gt_s);

// Returns the bytes per second in one direction after line coding: 8b/10b up to 5 GT/s, 128b/130b up to 32
// GT/s, above that 236 of the 256 bytes of a flit (PCI Express Base Specification 6.0). Packet headers take a
// further share.
[[nodiscard]] double pci_bytes_per_s(double speed_gt_s, int width);

// One device on the way to another, with the link that it ends.
struct pci_hop {
  std::string address{};
  pci_link link{};
};

// A device on the PCI bus.
struct pci_device {
  std::string address{};         // "0000:1b:00.0"
  std::uint32_t class_code = 0;  // 0x030200: class, subclass, programming interface
  std::uint16_t vendor = 0;
  std::uint16_t device = 0;
  std::string driver{};  // empty: none bound
  pci_link link{};
  std::vector<pci_hop> bridges{};  // root port first; empty for a device of the root bus
  std::optional<int> numa_node{};
  std::vector<int> cpus{};          // near ones; empty: not told
  std::string physical_function{};  // address of the device whose virtual function this is
  int virtual_functions = 0;        // enabled ones

  // Returns whether it is a bridge: class 0x06, with a bus below it or the host's own.
  [[nodiscard]] bool is_bridge() const { return class_code >> 16 == 0x06; }
  // Return the hop with the lowest bandwidth now, and at its best, among those that tell it; nothing when
  // none tells.
  [[nodiscard]] std::optional<pci_hop> narrowest_now() const;
  [[nodiscard]] std::optional<pci_hop> narrowest_at_most() const;
};

// Returns every device below `root`/sys/bus/pci/devices, bridges included, by address. What cannot be read is
// left empty.
[[nodiscard]] std::vector<pci_device> read_pci_devices(const std::filesystem::path& root = "/");

}  // namespace ridge::host
